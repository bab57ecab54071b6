import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
import { parseRuntimeConfig } from '../catalogue/runtime-config.ts';
import { type ServedApi, notReleased } from '../catalogue/served-definitions.ts';
import { memoizeText } from '../meta/memoize.ts';
import type { EmulatedRelease } from '../scheme/emulated-release.ts';
import { featuresOf } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

/** The options that select a part of the API. */
type ServedApiOptions = Pick<
  ServerOptions,
  | 'allowPrivileged'
  | 'emulatedRelease'
  | 'emulationForwardCompatible'
  | 'featureGates'
  | 'runtimeConfig'
  | 'runtimeConfigForwardCompatible'
>;

/**
 * The part of the API that the options select. `known` are all definitions, with all versions.
 * Throws RangeError for a runtime configuration that the server cannot follow.
 */
export function servedApiOf(options: ServedApiOptions, known: readonly ResourceDefinition[]): ServedApi {
  const problem = runtimeConfigError(options, known);
  if (problem !== undefined) throw new RangeError(problem);
  return {
    ...releasedVersions(options),
    runtimeConfig: parseRuntimeConfig(options.runtimeConfig, known).config,
    namesLaterVersions: options.runtimeConfigForwardCompatible,
  };
}

/**
 * The reasons why a server cannot follow a runtime configuration; undefined if there are none. A
 * version that the release does not have can be disabled but not enabled.
 */
export function runtimeConfigError(
  options: ServedApiOptions,
  known: readonly ResourceDefinition[],
): string | undefined {
  const { config, errors } = parseRuntimeConfig(options.runtimeConfig, known);
  const emulated = releasedVersions(options);
  const isForward = emulated.forwardCompatible || options.runtimeConfigForwardCompatible;
  const surface = { ...emulated, forwardCompatible: isForward };
  const enabled = [...config.values()].filter((setting) => setting.enabled && !setting.key.startsWith('api/'));
  const missing = enabled.flatMap(({ key, entry }) => {
    const why = notReleased(known, surface, key);
    return why === undefined ? [] : [`${JSON.stringify(entry)}: ${why}`];
  });
  const problems = [...errors, ...missing];
  return problems.length === 0 ? undefined : `--runtime-config: ${problems.join('; ')}`;
}

/** The versions and features that the options select. Throws RangeError for invalid gates. */
export function releasedVersions(options: ServedApiOptions): EmulatedRelease {
  const { emulatedRelease: release, emulationForwardCompatible: forwardCompatible } = options;
  const isFeatureEnabled = memoizeText(featuresOf(options).isEnabled, { most: 1000 });
  return { release, forwardCompatible, isFeatureEnabled, forbidsPrivileged: !options.allowPrivileged };
}

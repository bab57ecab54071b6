import type { ResourceDefinition } from '../registry/resource-definition.ts';
import { parseRuntimeConfig } from '../resources/runtime-config.ts';
import { type ApiSurface, notReleased, type ReleasedVersions } from '../resources/served-definitions.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * The part of the API that the options select. `known` are all definitions, with all versions.
 * Throws RangeError for a runtime configuration that the server cannot follow.
 */
export function apiSurfaceOf(options: ServerOptions, known: readonly ResourceDefinition[]): ApiSurface {
  const { emulatedRelease: release, emulationForwardCompatible: forwardCompatible, runtimeConfig } = options;
  const fault = runtimeConfigFault(runtimeConfig, known, { release, forwardCompatible });
  if (fault !== undefined) throw new RangeError(fault);
  return { release, forwardCompatible, runtimeConfig: parseRuntimeConfig(runtimeConfig, known).config };
}

/**
 * The reasons why a server cannot follow a runtime configuration; undefined if there are none. A
 * version that the release does not have can be disabled but not enabled.
 */
export function runtimeConfigFault(
  entries: readonly string[],
  known: readonly ResourceDefinition[],
  surface: ReleasedVersions,
): string | undefined {
  const { config, errors } = parseRuntimeConfig(entries, known);
  const enabled = [...config.values()].filter((setting) => setting.enabled && !setting.key.startsWith('api/'));
  const missing = enabled.flatMap(({ key, entry }) => {
    const why = notReleased(known, surface, key);
    return why === undefined ? [] : [`${JSON.stringify(entry)}: ${why}`];
  });
  const faults = [...errors, ...missing];
  return faults.length === 0 ? undefined : `--runtime-config: ${faults.join('; ')}`;
}

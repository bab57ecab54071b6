import { isAbsolute } from 'node:path';
import type { JsonObject } from '../meta/json-value.ts';
import { isSet, stringAt } from '../meta/read-field.ts';
import type { EmulatedRelease } from '../scheme/emulated-release.ts';
import { isSince } from '../scheme/api-release.ts';
import { checkKind, configuredObject, refuseErrors } from './check-configuration.ts';
import type { FieldError } from '../status/field-error.ts';
import { staticObjectsGate } from './static-objects.ts';

/** The configuration of a plugin of policies or webhooks, and the server that has it. */
interface PluginConfiguration {
  readonly plugin: string;
  readonly configuration: JsonObject | undefined;
  readonly emulated: EmulatedRelease;
  readonly apiDomain: string;
}

/**
 * The folder of manifests that the configuration of a plugin names; undefined if it names none.
 * Throws `RangeError` for an invalid configuration. Policies take no configuration before 1.36.
 */
export function staticManifestsFolder(settings: PluginConfiguration): string | undefined {
  const { plugin, configuration, emulated, apiDomain } = settings;
  if (!configuration) return undefined;
  if (plugin.endsWith('Policy')) {
    if (!isSince(emulated.release, '1.36')) return undefined;
    const group = `apiserver.config.${apiDomain}`;
    checkKind(configuration, { kind: `${plugin}Configuration`, group, versions: ['v1'] });
    const errors: FieldError[] = [];
    configuredObject(configuration, '', ['apiVersion', 'kind', 'staticManifestsDir'], errors);
    refuseErrors(errors);
  }
  if (!isSet(configuration, 'staticManifestsDir')) return undefined;
  const folder = stringAt(configuration, 'staticManifestsDir');
  if (!emulated.isFeatureEnabled(staticObjectsGate)) {
    const why = `staticManifestsDir requires the ${staticObjectsGate} feature gate to be enabled`;
    throw new RangeError(`staticManifestsDir: Forbidden: ${why}`);
  }
  if (folder !== '' && isAbsolute(folder)) return folder;
  throw new RangeError(
    `staticManifestsDir: Invalid value: ${JSON.stringify(configuration['staticManifestsDir'])}: must be an absolute file path`,
  );
}

import { statSync } from 'node:fs';
import {
  type StaticObjects,
  staticObjectsGate,
  type StaticObjectsOf,
  staticResources,
  staticSuffix,
} from '../../admission/static-objects.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { releasedVersions } from '../../config/served-api.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { Reloaded, type ReloadLog } from '../../listen/reloaded.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { type LoadedManifests, loadManifests } from './load-manifests.ts';
import { isAbsolute } from 'node:path';
import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, stringAt } from '../../meta/read-field.ts';
import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import { isSince } from '../../scheme/api-release.ts';
import { checkKind, configuredObject, refuseErrors } from '../../admission/check-configuration.ts';
import type { FieldError } from '../../status/field-error.ts';
import { contentHash } from '../../config/content-hash.ts';
import { serverId } from '../../config/server-id.ts';
import { memoize } from '../../meta/memoize.ts';
import { counterVector, gaugeVector } from '../../metrics/metric-vector.ts';

interface StaticAdmissionDependencies {
  readonly identifiers: Identifiers;
  readonly metrics: MetricsRegistry;
  readonly log: ReloadLog;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The policies and webhooks from manifest files. */
interface StaticAdmission {
  readonly of: StaticObjectsOf;
  /**
   * Loads them, and reloads them while the server runs. Rejects with `RangeError` if they are
   * invalid.
   */
  load(registries: Registries): Promise<void>;
}

/** A plugin with a manifest folder. */
interface FileSource {
  readonly plugin: keyof typeof staticResources;
  readonly folder: string;
  readonly objects: { current: StaticObjects['current'] };
}

/**
 * Finds the manifest folders in the configurations of plugins. Throws `RangeError` for an invalid
 * configuration. Nothing is read before `load`.
 */
export function staticAdmission(options: ServerOptions, dependencies: StaticAdmissionDependencies): StaticAdmission {
  const { admissionPlugins, admissionConfigurations } = options;
  const names = Object.keys(staticResources) as (keyof typeof staticResources)[];
  const sources = names.flatMap((plugin): FileSource[] => {
    if (admissionPlugins.disabled.includes(plugin)) return [];
    const folder = ofPlugin(plugin, () =>
      staticManifestsFolder({
        plugin,
        configuration: admissionConfigurations[plugin],
        emulated: releasedVersions(options),
        apiDomain: dependencies.identifiers.apiDomain,
      }),
    );
    return folder === undefined ? [] : [{ plugin, folder, objects: { current: new Map() } }];
  });
  return {
    of: (plugin) => sources.find((source) => source.plugin === plugin)?.objects,
    async load(registries) {
      for (const source of sources) await loadSource(source, registries, options.certificateReloadMs, dependencies);
    },
  };
}

/** Adds the plugin name to errors of its configuration. */
function ofPlugin<Result>(plugin: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw unusable(plugin, cause);
  }
}

function unusable(plugin: string, cause: unknown): RangeError {
  const problem = cause instanceof Error ? cause.message : String(cause);
  return new RangeError(`the configuration of the admission plugin ${plugin}: ${problem}`, { cause });
}

async function loadSource(
  { plugin, folder, objects }: FileSource,
  registries: Registries,
  intervalMs: number,
  { identifiers, metrics, log, signal }: StaticAdmissionDependencies,
): Promise<void> {
  const counted = manifestMetricsOf(metrics);
  const settings = {
    folder,
    resources: staticResources[plugin],
    suffix: staticSuffix(identifiers),
    identifiers,
    registries,
    signal,
  };
  let last: LoadedManifests | undefined;
  const read = async (): Promise<LoadedManifests> => (last = (await loadManifests(settings, last)) ?? last ?? nothing);
  const what = `the manifests of ${plugin} in ${folder}`;
  const onReload = (outcome: 'success' | 'failure'): void => counted.reloaded(plugin, outcome);
  const use = ({ objects: found, hash }: LoadedManifests): void => {
    objects.current = found;
    counted.inUse(plugin, hash);
  };
  try {
    requireFolder(folder);
    const manifests = await Reloaded.open({ what, read, intervalMs, log, onReload });
    use(manifests.current);
    onReload('success');
    manifests.onChange(use);
    manifests.watch();
    signal.addEventListener('abort', () => manifests.close(), { once: true });
  } catch (cause) {
    throw unusable(plugin, cause);
  }
}

const nothing: LoadedManifests = { objects: new Map(), hash: '' };

function requireFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const why = found ? 'must be a directory' : 'unable to read: no such file or directory';
  throw new RangeError(`staticManifestsDir: Invalid value: ${JSON.stringify(folder)}: ${why}`);
}

/** The configuration of a policy or webhook plugin, with the server's release. */
interface PluginConfiguration {
  readonly plugin: string;
  readonly configuration: JsonObject | undefined;
  readonly emulated: EmulatedRelease;
  readonly apiDomain: string;
}

/**
 * The manifest folder in the configuration of a plugin; undefined if there is none. Throws
 * `RangeError` for an invalid configuration. Before 1.36 policies have no configuration.
 */
function staticManifestsFolder(settings: PluginConfiguration): string | undefined {
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

/** Counts reloads of manifests. */
interface ManifestMetrics {
  reloaded(plugin: string, outcome: 'success' | 'failure'): void;
  /** Records the hash of the contents in use. */
  inUse(plugin: string, hash: string): void;
}

/** The metric families of manifests, registered once. */
const manifestMetricsOf = memoize(manifestMetrics);

function manifestMetrics(registry: MetricsRegistry): ManifestMetrics {
  const id = contentHash(serverId());
  const prefix = 'apiserver_manifest_admission_config_controller';
  const split = 'admission manifest configuration split by status, plugin, and apiserver identity.';
  const labels = ['status', 'plugin', 'apiserver_id_hash'];
  const total = counterVector(
    { name: `${prefix}_automatic_reloads_total`, help: `Total number of automatic reloads of ${split}` },
    labels,
  );
  const last = gaugeVector(
    {
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: `Timestamp of the last automatic reload of ${split}`,
      merge: 'largest',
    },
    labels,
  );
  const info = gaugeVector(
    {
      name: `${prefix}_last_config_info`,
      help: 'Information about the last applied admission manifest configuration with hash as label, split by plugin and apiserver identity.',
      merge: 'largest',
    },
    ['plugin', 'apiserver_id_hash', 'hash'],
  );
  registry.register(total, last, info);
  return {
    reloaded(plugin, outcome) {
      total.with(outcome, plugin, id).add();
      last.with(outcome, plugin, id).value = Date.now() / 1000;
    },
    inUse(plugin, hash) {
      info.forget(({ plugin: owner }) => owner === plugin);
      if (hash !== '') info.with(plugin, id, hash).value = 1;
    },
  };
}

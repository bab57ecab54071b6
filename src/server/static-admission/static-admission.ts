import { statSync } from 'node:fs';
import type { StaticObjects, StaticObjectsOf } from '../../admission/static-objects.ts';
import { staticResources, staticSuffix } from '../../admission/static-objects.ts';
import { staticManifestsFolder } from '../../admission/static-manifests-folder.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { releasedVersions } from '../../config/served-api.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { Reloaded, type ReloadLog } from '../../listen/reloaded.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { type LoadedManifests, loadManifests } from './load-manifests.ts';
import { manifestMetricsOf } from './manifest-metrics.ts';

interface StaticAdmissionDependencies {
  readonly identifiers: Identifiers;
  readonly metrics: MetricsRegistry;
  readonly log: ReloadLog;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The policies and webhooks of files. */
interface StaticAdmission {
  readonly of: StaticObjectsOf;
  /** Reads them, again while the server runs. Rejects with `RangeError` if they are unusable. */
  load(registries: Registries): Promise<void>;
}

/** A plugin with a folder of manifests. */
interface FileSource {
  readonly plugin: keyof typeof staticResources;
  readonly folder: string;
  readonly objects: { current: StaticObjects['current'] };
}

/**
 * Finds the folders of manifests that the configurations of plugins name. Throws `RangeError` for
 * an invalid configuration. Nothing is read before `load`.
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

/** Names the plugin in errors of its configuration. */
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

import { untilAborted } from '../async/abort-signals.ts';
import type { Client } from './client.ts';
import { type DiscoveredResource, type Discovery, discoverAll } from './discovery.ts';
import { findResource } from './find-resource.ts';
import { StatusError } from './error-of-response.ts';

/** Options of a mapper. */
export interface ResourceMapperOptions {
  /** The resources are discovered again after this time. The default is ten minutes. */
  readonly maxAgeMs?: number;
  /**
   * Resources that are not known are looked for in a new discovery, at most once in this time. The
   * default is one second.
   */
  readonly missIntervalMs?: number;
}

/** Finds resources by kinds and names, in a discovery that is kept. */
export interface ResourceMapper {
  /** All resources of the server, and the versions that are not available. */
  discovery(signal?: AbortSignal): Promise<Discovery>;
  /** The resource of a kind. Throws StatusError with the reason `NotFound`. */
  resourceOf(apiVersion: string, kind: string, signal?: AbortSignal): Promise<DiscoveredResource>;
  /** The resource that a user names, as in `findResource`; undefined if there is none. */
  find(name: string, signal?: AbortSignal): Promise<DiscoveredResource | undefined>;
  /** Discovers the resources again with the next call. */
  forget(): void;
}

interface CachedDiscovery {
  readonly found: Promise<Discovery>;
  readonly startedMs: number;
}

/**
 * Creates a mapper, which discovers the resources of a server once for all callers, and again when
 * it is asked for one that is not known, such as a custom kind that was just defined.
 *
 * @example
 * const mapper = createResourceMapper(client);
 * const resource = await mapper.resourceOf(manifest.apiVersion, manifest.kind);
 * await client.resource(resource).apply(manifest, { fieldManager: 'me' });
 */
export function createResourceMapper(client: Client, options: ResourceMapperOptions = {}): ResourceMapper {
  const { maxAgeMs = 600_000, missIntervalMs = 1000 } = options;
  let kept: CachedDiscovery | undefined;

  function discovery(signal?: AbortSignal, ageMs = maxAgeMs): Promise<Discovery> {
    if (kept && performance.now() - kept.startedMs <= ageMs) return untilAborted(kept.found, signal);
    // Not cancelled with the first caller, because others may wait for it.
    const started: CachedDiscovery = { found: discoverAll(client), startedMs: performance.now() };
    kept = started;
    started.found.catch(() => {
      if (kept === started) kept = undefined;
    });
    return untilAborted(started.found, signal);
  }

  async function search(
    match: (known: readonly DiscoveredResource[]) => DiscoveredResource | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DiscoveredResource | undefined> {
    const { resources } = await discovery(signal);
    return match(resources) ?? match((await discovery(signal, missIntervalMs)).resources);
  }

  return {
    discovery: (signal) => discovery(signal),
    find: (name, signal) => search((known) => findResource(known, name), signal),
    async resourceOf(apiVersion, kind, signal) {
      const at = apiVersion.indexOf('/');
      const [group, version] = [apiVersion.slice(0, Math.max(at, 0)), apiVersion.slice(at + 1)];
      const isWanted = (each: DiscoveredResource): boolean =>
        each.kind === kind && each.group === group && each.version === version;
      const found = await search((known) => known.find(isWanted), signal);
      if (found) return found;
      const message = `no matches for kind "${kind}" in version "${apiVersion}"`;
      throw new StatusError({ code: 404, reason: 'NotFound', message });
    },
    forget() {
      kept = undefined;
    },
  };
}

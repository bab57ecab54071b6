import type { DiscoveredResource, Discovery } from '../../client/discovery.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { PartialObjectMetadata } from '../../client/api-object.ts';
import { apiVersionOf, readNode } from './graph-node.ts';
import type { OwnerGraph } from './owner-graph.ts';

/** Objects of these resources have no owners that matter, and are written often. */
const ignored: ReadonlySet<string> = new Set(['events']);

const neededVerbs = ['delete', 'list', 'watch'];

interface Monitor {
  readonly resource: DiscoveredResource;
  readonly informer: Informer<PartialObjectMetadata>;
  readonly stop: AbortController;
}

/** Informers of the metadata of all kinds, which fill a graph. */
export class Monitors {
  readonly #informers: InformerFactory;
  readonly #graph: OwnerGraph;
  readonly #monitors = new Map<string, Monitor>();

  constructor(informers: InformerFactory, graph: OwnerGraph) {
    this.#informers = informers;
    this.#graph = graph;
  }

  /**
   * Starts informers for new kinds, and ends the informers of kinds that are gone. Returns the new
   * ones, which have not synced.
   */
  update({ resources, failed }: Discovery): readonly Informer<PartialObjectMetadata>[] {
    const served = preferred(resources);
    const away = new Set(failed.map(({ groupVersion }) => groupVersion));
    for (const [key, { resource, stop }] of this.#monitors) {
      const isGone = served.get(key)?.version !== resource.version && !away.has(apiVersionOf(resource));
      if (!isGone) continue;
      this.#monitors.delete(key);
      stop.abort();
    }
    const added: Informer<PartialObjectMetadata>[] = [];
    for (const [key, resource] of served) {
      if (this.#monitors.has(key)) continue;
      const monitor = this.#start(resource);
      this.#monitors.set(key, monitor);
      added.push(monitor.informer);
    }
    return added;
  }

  #start(resource: DiscoveredResource): Monitor {
    const stop = new AbortController();
    const informer = this.#informers.metadataInformer(resource, { signal: stop.signal });
    const put = (object: PartialObjectMetadata): void => this.#graph.put(readNode(resource, object));
    informer.subscribe(
      { add: put, update: put, delete: ({ metadata }) => this.#graph.remove(metadata.uid ?? '') },
      stop.signal,
    );
    return { resource, informer, stop };
  }
}

/** Each resource once, in the version that its group prefers. */
function preferred(resources: readonly DiscoveredResource[]): ReadonlyMap<string, DiscoveredResource> {
  const byName = new Map<string, DiscoveredResource>();
  for (const found of resources) {
    const name = `${found.resource}.${found.group}`;
    const applies = neededVerbs.every((verb) => found.verbs.includes(verb)) && !ignored.has(found.resource);
    if (applies && !byName.has(name)) byName.set(name, found);
  }
  return byName;
}

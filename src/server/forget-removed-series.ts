import type { Labels } from '../metrics/metric-family.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { LiveCatalogue } from '../registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../registry/definition/resource-definition.ts';

/** Twice the usual interval between two reads of `/metrics`: the last counts are read once. */
const keptMs = 60_000;

interface RemovedSeriesOptions {
  readonly catalogue: LiveCatalogue;
  readonly metrics: Pick<MetricsRegistry, 'forget'>;
  /** How long the series of a removed resource are kept; default 60,000. */
  readonly keptMs?: number;
}

type RemovedName = Pick<ResourceDefinition, 'group' | 'resource' | 'kind'>;

/**
 * Removes the metrics of resources that were removed, unless they are served again. Definitions
 * that come and go would otherwise fill the memory and `/metrics` for the life of the process.
 */
export function forgetRemovedSeries({ catalogue, metrics, ...options }: RemovedSeriesOptions): void {
  let removed: RemovedName[] = [];
  const isServed = ({ group, resource }: RemovedName) => catalogue.current.resource(group, resource) !== undefined;
  const forget = (): void => {
    const names = new Set(removed.filter((one) => !isServed(one)).flatMap(namesIn));
    removed = [];
    if (names.size > 0) metrics.forget((labels) => namesOf(labels).some((name) => names.has(name)));
  };
  catalogue.onChange((change) => {
    if (!change.removed || change.added) return;
    // One pass over all series for the definitions of a minute.
    if (removed.length === 0) setTimeout(forget, options.keptMs ?? keptMs).unref();
    // A definition would keep its compiled schemas.
    const { group, resource, kind } = change.removed;
    removed.push({ group, resource, kind });
  });
}

/** The labels that name a resource: by its name, by its kind, and by the name of its definition. */
function namesIn({ group, resource, kind }: RemovedName): readonly string[] {
  return [`resource ${group}/${resource}`, `kind ${group}/${kind}`, `definition ${resource}.${group}`];
}

function namesOf({ group, resource, kind, crd_name: definition }: Labels): readonly string[] {
  return [
    ...(resource === undefined ? [] : [`resource ${group}/${resource}`]),
    ...(kind === undefined ? [] : [`kind ${group}/${kind}`]),
    ...(definition === undefined ? [] : [`definition ${definition}`]),
  ];
}

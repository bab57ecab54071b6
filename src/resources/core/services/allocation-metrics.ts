import { counterVector, gaugeVector, histogramVector } from '../../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../../metrics/metrics-registry.ts';
import type { ItemRange } from './address-range.ts';

/** How an item was chosen: by the client, or by the server. */
type Scope = 'static' | 'dynamic';

/** Observes the allocations of a range. */
export interface PoolMetrics {
  allocated(range: ItemRange, scope: Scope, seconds: number): void;
  failed(range: ItemRange, scope: Scope): void;
  /** Records the items that the store has as allocated. */
  counted(range: ItemRange, items: readonly string[]): void;
}

/** The metrics of the two kinds of items that Services have. */
interface AllocationMetrics {
  readonly addresses: PoolMetrics;
  readonly ports: PoolMetrics;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics of the allocation of cluster IPs and node ports, and registers them. */
export function allocationMetrics(registry: MetricsRegistry): AllocationMetrics {
  const duration = histogramVector(
    {
      name: 'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
      help: 'Duration in seconds to allocate a Cluster IP by ServiceCIDR',
    },
    ['cidr'],
    seconds,
  );
  registry.register(duration);
  const addresses = poolMetrics(registry, 'clusterip', { item: 'ips', noun: 'Cluster IPs', label: 'cidr' });
  return {
    addresses: {
      ...addresses,
      allocated(range, scope, taken) {
        addresses.allocated(range, scope, taken);
        duration.with(range.text).observe(taken);
      },
    },
    ports: poolMetrics(registry, 'nodeport', { item: 'ports', noun: 'NodePorts' }),
  };
}

/** The words of a kind of item, and the label that names its range, if there are several. */
interface ItemWords {
  readonly item: string;
  readonly noun: string;
  readonly label?: string;
}

function poolMetrics(registry: MetricsRegistry, kind: string, { item, noun, label }: ItemWords): PoolMetrics {
  const prefix = `kube_apiserver_${kind}_allocator`;
  const rangeLabels = label === undefined ? [] : [label];
  const valuesOf = ({ text }: ItemRange): readonly string[] => (label === undefined ? [] : [text]);
  const scoped = [...rangeLabels, 'scope'];
  const total = counterVector({ name: `${prefix}_allocation_total`, help: `Number of ${noun} allocations` }, scoped);
  const errors = counterVector(
    { name: `${prefix}_allocation_errors_total`, help: `Number of errors trying to allocate ${noun}` },
    scoped,
  );
  const gauge = (state: string) =>
    gaugeVector(
      { name: `${prefix}_${state}_${item}`, help: `Number of ${state} ${noun} for Services`, merge: 'largest' },
      rangeLabels,
    );
  const [allocated, available] = [gauge('allocated'), gauge('available')];
  registry.register(total, errors, allocated, available);
  return {
    allocated: (range, scope) => total.with(...valuesOf(range), scope).add(),
    failed: (range, scope) => errors.with(...valuesOf(range), scope).add(),
    counted(range, items) {
      const within = items.filter((one) => range.has(one)).length;
      allocated.with(...valuesOf(range)).value = within;
      available.with(...valuesOf(range)).value = Math.max(0, range.size - within);
    },
  };
}

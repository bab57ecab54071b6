import type { MetricFamily } from '../../metrics/metric-family.ts';
import type { Exchange } from '../request/exchange.ts';
import type { InFlightLimit } from '../../http-protocol/requests/in-flight-limit.ts';

/** The kinds of requests that kube-apiserver distinguishes. */
type RequestKind = 'mutating' | 'readOnly';

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);

/** The gauge of requests in flight. */
export class InFlightMetrics {
  readonly #limits = new Map<RequestKind, InFlightLimit>();

  readonly family: MetricFamily = {
    name: 'apiserver_current_inflight_requests',
    help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    stability: 'STABLE',
    type: 'gauge',
    labelNames: ['request_kind'],
    samples: () => [...this.#limits].map(([kind, limit]) => ({ labels: { request_kind: kind }, value: limit.peak })),
  };

  /** Sets the limits that the gauge reads. */
  observe(limits: Readonly<Record<RequestKind, InFlightLimit>>): void {
    this.#limits.set('mutating', limits.mutating);
    this.#limits.set('readOnly', limits.readOnly);
  }

  /** Returns the kind of a request. */
  kindOf({ verb }: Exchange): RequestKind {
    return readOnlyVerbs.has(verb) ? 'readOnly' : 'mutating';
  }
}

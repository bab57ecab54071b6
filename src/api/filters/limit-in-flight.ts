import { ClientGone } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../request/exchange.ts';
import { InFlightLimit } from '../../http-protocol/requests/in-flight-limit.ts';
import { tooManyRequests } from '../../http-protocol/requests/byte-budget.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Filter } from './filter.ts';

/** The maximum numbers of concurrent requests; 0 is unlimited. */
interface InFlightLimits {
  /** Read-only requests: get, list, and reads of non-resource paths. */
  readonly maxRequestsInFlight: number;
  /** Requests that may change objects. */
  readonly maxMutatingRequestsInFlight: number;
  /** Watches and connect requests. They are long-running and not counted in the other limits. */
  readonly maxWatchesInFlight: number;
}

/**
 * Members are admitted beyond the limits, so that an administrator can repair an overloaded server.
 */
const privilegedGroup = 'system:masters';

/** The receiver of the counts, and the resources that they name. */
interface LimitContext {
  readonly metrics: Pick<RequestMetrics, 'inFlight' | 'dropped'>;
  readonly catalogue: LiveCatalogue;
}

/**
 * Answers 429 if too many requests are in flight; reads, writes and watches are counted separately
 * (spec 5, `--max-requests-inflight` and `--max-mutating-requests-inflight` of kube-apiserver).
 * Runs after authentication, and before authorization, which may call a webhook. Health probes are
 * not counted: a busy server must not be restarted for that.
 */
export function limitInFlight(limits: InFlightLimits, { metrics, catalogue }: LimitContext): Filter {
  const reading = new InFlightLimit(limits.maxRequestsInFlight);
  const watching = new InFlightLimit(limits.maxWatchesInFlight);
  const writing = new InFlightLimit(limits.maxMutatingRequestsInFlight);
  const limitOf: ReadonlyMap<string, InFlightLimit> = new Map([
    ['get', reading],
    ['list', reading],
    ['head', reading],
    ['options', reading],
    ['watch', watching],
  ]);
  metrics.inFlight.observe({ mutating: writing, readOnly: reading });
  return (exchange) => {
    if (isProbe(exchange)) return;
    const limit = exchange.isConnection ? watching : (limitOf.get(exchange.verb) ?? writing);
    // The client has disconnected; no response is needed.
    if (exchange.ended) throw new ClientGone();
    if (!limit.tryAcquire(exchange.user.groups.includes(privilegedGroup))) {
      const { target } = exchange.path;
      const served = target && catalogue.current.find(target.group, target.version, target.resource);
      metrics.dropped(exchange, served);
      throw tooManyRequests();
    }
    exchange.onDone(() => limit.release());
  };
}

const probes = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

function isProbe({ path }: Exchange): boolean {
  return path.target === undefined && probes.test(path.decoded);
}

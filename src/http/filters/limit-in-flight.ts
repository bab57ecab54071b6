import { ClientGone, type Exchange } from '../request/exchange.ts';
import { Places } from '../request/places.ts';
import type { Filter } from './filter.ts';

/** How many requests may be in flight at a time; 0 is no limit. */
export interface InFlightLimits {
  /** Requests that change nothing: get, list, and what is about no resource. */
  readonly maxRequestsInFlight: number;
  /** Requests that may change something. */
  readonly maxMutatingRequestsInFlight: number;
  /**
   * Watches and connections to what runs behind an object: they last, and count among neither of
   * the others.
   */
  readonly maxWatchesInFlight: number;
}

/** Members may still act when all places are taken, so that an administrator can mend what fills them. */
const privilegedGroup = 'system:masters';

/**
 * Answers 429 beyond a number of requests in flight: reading, writing and watching apart (spec 5, kube-apiserver's `--max-requests-inflight` and
 * `--max-mutating-requests-inflight`). It runs once the user is known, and before authorization, which may cost a call. Probes
 * of health are not counted: a busy server is no reason to restart it.
 */
export function limitInFlight(limits: InFlightLimits): Filter {
  const reading = new Places(limits.maxRequestsInFlight);
  const watching = new Places(limits.maxWatchesInFlight);
  const writing = new Places(limits.maxMutatingRequestsInFlight);
  const placesOf: ReadonlyMap<string, Places> = new Map([
    ['get', reading],
    ['list', reading],
    ['head', reading],
    ['options', reading],
    ['watch', watching],
  ]);
  return (exchange) => {
    if (isProbe(exchange)) return;
    const places = exchange.connect ? watching : (placesOf.get(exchange.verb) ?? writing);
    // Of a client that is gone by now nobody waits for the work.
    if (exchange.ended) throw new ClientGone();
    places.take(exchange.user.groups.includes(privilegedGroup));
    exchange.onDone(() => places.giveBack());
  };
}

const probes = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

function isProbe({ path }: Exchange): boolean {
  return path.target === undefined && probes.test(path.decoded);
}

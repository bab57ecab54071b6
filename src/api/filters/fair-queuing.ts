import type { Admission, FlowControl } from '../../flowcontrol/flow-control.ts';
import type { Rejection } from '../../flowcontrol/priority-level.ts';
import type { RequestDigest } from '../../flowcontrol/shuffle-shard.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { StatusError } from '../../status/status-error.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { ClientGone } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../request/exchange.ts';
import { tooManyRequests } from '../../http-protocol/requests/byte-budget.ts';
import type { Filter } from './filter.ts';

/** The flow control of a server. */
export interface RequestFlows {
  /** Returns flow control with the current schemas and levels. */
  current(): FlowControl;
  /** The number of objects of a resource, to estimate the work of a list. */
  readonly objectsOf: (group: string, resource: string) => number;
  /** The names of the response headers with the UIDs of the schema and the level. */
  readonly headers: { readonly schema: string; readonly level: string };
}

/** The dependencies of the filter. */
interface FairQueuingContext {
  readonly metrics: Pick<RequestMetrics, 'dropped' | 'queued'>;
  readonly catalogue: LiveCatalogue;
  /** How long a request waits at most before it is rejected. */
  readonly longestWaitMs: number;
}

/** A list takes one seat for each hundred objects, up to `mostSeats`. */
const objectsPerSeat = 100;
const mostSeats = 10;

/**
 * Lets requests of all users share the server fairly (API priority and fairness): each waits in the
 * queues of its flow until its priority level has seats for it. Answers 429 if the queues are full
 * or the wait is too long. A watch has its seat until it begins to send events. Connections
 * (`exec`, `proxy`, ...) are not limited here.
 */
export function fairQueuing(flows: RequestFlows, context: FairQueuingContext): Filter {
  const { headers } = flows;
  return (exchange) => {
    if (exchange.isConnection) return undefined;
    const control = flows.current();
    const digest = digestOf(exchange);
    const flow = control.classify(digest);
    if (!flow) return undefined;
    exchange.trace?.note(flow.schema.name);
    exchange.addHeader(headers.schema, flow.schema.uid);
    exchange.addHeader(headers.level, flow.level.settings.uid);
    // The client has disconnected; no response is needed.
    if (exchange.ended) throw new ClientGone();
    const admission = control.admit(flow, digest, seatsFor(exchange, flows), exchange);
    if (typeof admission === 'string') throw refusal(exchange, context);
    if (admission.ticket?.state === 'waiting') return wait(exchange, control, admission, context);
    context.metrics.queued(0);
    hold(exchange, control, admission);
    return undefined;
  };
}

function digestOf({ path, verb, user }: Exchange): RequestDigest {
  const { target } = path;
  if (!target) {
    return { user, verb, resourceRequest: false, apiGroup: '', resource: '', namespace: '', path: path.decoded };
  }
  const { group, resource, subresource, namespace } = target;
  return {
    user,
    verb,
    resourceRequest: true,
    apiGroup: group,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace,
    path: '',
  };
}

function seatsFor({ verb, path, query }: Exchange, { objectsOf }: RequestFlows): number {
  if (verb !== 'list' || !path.target) return 1;
  const stored = objectsOf(path.target.group, path.target.resource);
  const limit = Number(query.get('limit') ?? 0);
  const sent = limit > 0 ? Math.min(stored, limit) : stored;
  return Math.min(Math.max(Math.ceil(sent / objectsPerSeat), 1), mostSeats);
}

/** Keeps the seats until the work on the request ends, or until a watch begins. */
function hold(exchange: Exchange, control: FlowControl, admission: Admission): void {
  let held = true;
  const release = (): void => {
    if (held) control.release(admission);
    held = false;
  };
  if (exchange.verb === 'watch') exchange.onStream(release);
  exchange.onDone(release);
}

function wait(
  exchange: Exchange,
  control: FlowControl,
  admission: Admission,
  context: FairQueuingContext,
): Promise<void> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const { signal } = exchange;
    const giveUp = (reason: Rejection, error: () => unknown): void => {
      clearTimeout(timer);
      if (control.giveUp(admission, reason)) reject(error());
    };
    const aborted = (): void => giveUp('cancelled', () => signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      giveUp('time-out', () => refusal(exchange, context));
    }, context.longestWaitMs);
    control.whenStarted(admission, () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      exchange.waitedMs += performance.now() - startMs;
      context.metrics.queued(exchange.waitedMs);
      hold(exchange, control, admission);
      resolve();
    });
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
  });
}

function refusal(exchange: Exchange, { metrics, catalogue }: FairQueuingContext): StatusError {
  const { target } = exchange.path;
  metrics.dropped(exchange, target && catalogue.current.find(target.group, target.version, target.resource));
  return tooManyRequests();
}

/** Facts about a request for a dump of the queues. */
type QueuedExchange = Pick<Exchange, 'user' | 'verb' | 'path'>;

/** Reports whether the details of a queued request are an exchange. */
export function isQueuedExchange(details: object): details is QueuedExchange {
  return 'user' in details && 'verb' in details && 'path' in details;
}

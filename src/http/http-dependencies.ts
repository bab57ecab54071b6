import type { Authenticator } from '../authn/authenticator.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Column } from '../codec/table.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { LiveCatalogue } from '../registry/live-catalogue.ts';
import type { Registries } from '../registry/registry.ts';
import type { ConnectSubresource } from './connect/connect-subresource.ts';
import type { CodecList } from './request/formats.ts';
import type { HealthCheck } from './health/handle-health.ts';
import type { InFlightLimits } from './filters/limit-in-flight.ts';
import type { Log } from './request/log.ts';
import type { OpenRequests, OpenRequestsOptions } from './request/open-requests.ts';
import type { VirtualCreate } from '../registry/virtual-create.ts';

/**
 * What the HTTP layer is built from. Nothing in it changes while the server runs, but what the
 * catalogue answers.
 */
export interface HttpDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Pick<Registries, 'of'>;
  /** Resources that are answered and not stored, by `group/resource` with the full group name ('' for core). */
  readonly virtual: ReadonlyMap<string, VirtualCreate>;
  /** Sub-resources that are no objects; none when absent. */
  readonly connects?: readonly ConnectSubresource[];
  /** Tried in order; the first user wins. */
  readonly authenticators: readonly Authenticator[];
  /** Asked in order; the first allow or deny is final. */
  readonly authorizers: readonly Authorizer[];
  readonly anonymousAuth: boolean;
  /** Paths that need no credential even where anonymous requests are off; the authorizers must allow them. */
  readonly publicPaths?: readonly string[];
  /** `/healthz` and `/livez` answer the first list, `/readyz` the second. */
  readonly health: { readonly livez: readonly HealthCheck[]; readonly readyz: readonly HealthCheck[] };
  /** What `/metrics` answers, in Prometheus' text format. */
  readonly metrics: () => string;
  /** What `/version` answers: major, minor, gitVersion, ... */
  readonly version: Readonly<Record<string, string>>;
  readonly log: Log;
  /**
   * The formats of bodies and answers in the order of preference; those of `codec/codecs.ts` when
   * absent.
   */
  readonly codecs?: CodecList;
  /** When it aborts, open watches end cleanly. Other requests finish. */
  readonly shutdown: AbortSignal;
  /** Longest time for a request that is no watch; `defaultRequestTimeoutMs` when absent. */
  readonly requestTimeoutMs?: number;
  /** Largest request body; `defaultBodyLimitBytes` when absent. */
  readonly bodyLimitBytes?: number;
  /** Owns the requests that are open; one with `defaultOpenRequests` when absent. */
  readonly requests?: OpenRequests;
  /** Changes to `defaultInFlightLimits`. */
  readonly inFlight?: Partial<InFlightLimits>;
  /** Columns of a resource's Tables; name and age where absent or undefined. */
  readonly columnsOf?: (group: string, resource: string) => readonly Column[] | undefined;
  /** Numbers from 0 up to 1, to spread the ends of watches; `Math.random` when absent. */
  readonly random?: () => number;
}

/** Longest time for a request that is no watch. */
export const defaultRequestTimeoutMs = 60_000;

/** Largest request body: objects may have 1.5 MiB in the store, and patches and encodings make bodies longer. */
export const defaultBodyLimitBytes = 3 * 1024 * 1024;

/** As kube-apiserver has them; it has no bound of its own on watches. */
export const defaultInFlightLimits: InFlightLimits = Object.freeze({
  maxRequestsInFlight: 400,
  maxMutatingRequestsInFlight: 200,
  maxWatchesInFlight: 20_000,
});

/** Bodies and answers at their largest for some forty requests; the others of a busy server are much smaller. */
const budgetBytes = 128 * 1024 * 1024;

/** Bounds on the life of requests where none are given. */
export const defaultOpenRequests: OpenRequestsOptions = Object.freeze({
  stuckReaderMs: 60_000,
  maxBodyBytes: budgetBytes,
  maxAnswerBytes: budgetBytes,
});

import type { Logger } from 'pino';
import type { TokenCacheMetrics } from '../../authn/token-cache-metrics.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import type { ApiCache } from '../cache/api-cache.ts';
import type { Egress } from '../egress/open-egress.ts';
import type { Reloaded } from '../../listen/reloaded.ts';

/** The dependencies of authenticators and authorizers. */
export interface AccessDependencies extends Pick<ApiCache, 'identifiers' | 'listerOf'> {
  /** PEM of the client CA bundle; undefined: client certificates identify nobody. */
  readonly clientCa: Reloaded<string> | undefined;
  /** PEM of the CA bundle of an authenticating proxy; undefined without a proxy. */
  readonly frontProxyCa: Reloaded<string> | undefined;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** The connections to webhooks and OpenID providers. */
  readonly egress: Egress;
  /** Aborts when the server stops; ends timers and reloads. */
  readonly signal: AbortSignal;
  /** Returns the registries, which exist before the first request. */
  readonly registries: () => Registries;
  /** The metrics that the caches of all authenticators of tokens share. */
  readonly tokenCache: TokenCacheMetrics;
}

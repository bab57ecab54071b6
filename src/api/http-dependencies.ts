import type { AdmissionChain } from '../admission/admission.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { Authenticator } from '../authn/authenticator.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { LiveCatalogue } from '../registry/definition/live-catalogue.ts';
import type { Registries } from '../registry/definition/registry.ts';
import type { ServerState } from './debug/state-pages.ts';
import type { ComponentFacts } from './debug/component-pages.ts';
import type { Forward, ForwardOptions } from './request/forward.ts';
import type { PeerServers } from './peer-servers.ts';
import type { ApiServices } from './api-services/api-services.ts';
import type { AggregatedVersion } from './discovery/aggregated-discovery.ts';
import type { PrioritiesOf, RemoteResources } from './discovery/discovered-groups.ts';
import type { RemoteDocuments } from './openapi/remote-documents.ts';
import type { DescribedDocument } from './openapi/operation.ts';
import type { ConnectSubresource } from './connect/connect-subresource.ts';
import type { CodecList } from './request/codecs.ts';
import type { HealthCheck } from './health/handle-health.ts';
import type { RequestFlows } from './filters/fair-queuing.ts';
import type { HttpOptions } from './http-flags.ts';
import type { ListFeatures } from './request/list-features.ts';
import type { Log } from '../http-protocol/requests/log.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import type { Tracing } from '../tracing/span.ts';
import type { VirtualCreate } from '../registry/definition/virtual-create.ts';

/**
 * The dependencies of the HTTP layer. They do not change while the server runs, except for the
 * content of the catalogue.
 */
export interface HttpDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Pick<Registries, 'of'>;
  /**
   * Resources that are answered without being stored, by `group/resource` with the full group name
   * ('' for core).
   */
  readonly virtual: ReadonlyMap<string, VirtualCreate>;
  /** The connect sub-resources; none if absent. */
  readonly connects?: readonly ConnectSubresource[];
  /** The versions that other servers serve; none if absent. */
  readonly aggregation?: Aggregation;
  /** True until this server has published its StorageVersions; absent: it publishes none. */
  readonly storageVersionsPending?: (() => boolean) | undefined;
  /** The peers, to which requests can be forwarded; absent: no forwarding. */
  readonly peers?: PeerServers;
  /** Admits connections; the default admits all. */
  readonly admission?: AdmissionChain;
  /** Tried in order; the first user wins. */
  readonly authenticators: readonly Authenticator[];
  /** Called in order; the first allow or deny is final. */
  readonly authorizers: readonly Authorizer[];
  /** Records requests; none are recorded if absent. */
  readonly auditor?: Auditor;
  readonly anonymousAuth: boolean;
  /** The only paths that anonymous users may request; all if absent. */
  readonly anonymousPaths?: readonly string[];
  /**
   * Paths that need no credential although anonymous requests are disabled. The authorizers must
   * allow them.
   */
  readonly publicPaths?: readonly string[];
  /** Documents outside the API by path; none if absent. */
  readonly documents?: ReadonlyMap<string, PublishedDocument>;
  /** `/healthz` and `/livez` run the first list of checks, `/readyz` the second. */
  readonly health: { readonly livez: readonly HealthCheck[]; readonly readyz: readonly HealthCheck[] };
  /** The content of `/metrics`; the families of requests are added to it. */
  readonly metrics: MetricsRegistry;
  /** The content of `/metrics/slis`; the families of health checks are added to it. */
  readonly slis?: MetricsRegistry;
  /** The number of this process, if others serve the same port; `/debug/...` shows it. */
  readonly worker?: string;
  /** The content of `/version`: major, minor, gitVersion, ... */
  readonly version: Readonly<Record<string, string>>;
  /** The supported versions of aggregated discovery; absent: all. */
  readonly aggregatedVersions?: readonly AggregatedVersion[];
  /** The content of `/statusz` and `/flagz`; absent: the release does not have these pages. */
  readonly componentFacts?: ComponentFacts;
  readonly log: Log;
  /** The server state for the pages under `/debug`; absent: there are no such pages. */
  readonly state?: ServerState | undefined;
  /** True if each request is logged. */
  readonly logsRequests?: boolean;
  /** Creates spans of requests; absent if the process does not trace. */
  readonly tracing?: Tracing | undefined;
  /**
   * The formats of request and response bodies in order of preference; `request/codecs.ts` if
   * absent.
   */
  readonly codecs?: CodecList;
  /** The release whose fields objects have; absent: the newest. */
  readonly fieldsRelease?: string;
  /**
   * The signal of the shutdown. When it aborts, open watches end cleanly, and handlers of connect
   * sub-resources end their connections. Other requests are completed.
   */
  readonly shutdown: AbortSignal;
  /** Overrides of `defaultHttpOptions`. */
  readonly options?: Partial<HttpOptions>;
  /** The size limit of request bodies; `defaultBodyLimitBytes` if absent. */
  readonly bodyLimitBytes?: number;
  /** True if authorizers see the selectors of lists. Default: false. */
  readonly authorizeWithSelectors?: boolean;
  /** True if constrained impersonation is enabled. Default: false. */
  readonly constrainedImpersonation?: boolean;
  /** The features of lists and watches. Default: `defaultListFeatures`. */
  readonly listFeatures?: ListFeatures;
  /** True if bodies of requests and responses can be CBOR. */
  readonly cbor?: boolean;
  /** Manages the open requests; created with the options if absent. */
  readonly requests?: OpenRequests;
  /** Shares the server among its users; absent: `options` limit all requests together. */
  readonly flows?: RequestFlows | undefined;
  /** True once the start is complete; absent: requests do not wait for it. */
  readonly isReady?: () => boolean;
  /** Returns numbers from 0 up to 1, for random times and choices; `Math.random` if absent. */
  readonly random?: () => number;
}

/** The versions that other servers serve, and the way to them. */
export interface Aggregation {
  readonly services: ApiServices;
  /** Orders the versions of this server that have no APIService yet. */
  readonly prioritiesOf: PrioritiesOf;
  readonly resources: RemoteResources;
  readonly documents: RemoteDocuments;
  readonly createForward: (options: ForwardOptions) => Forward;
}

/** A JSON document outside the API, for clients that may not know it. */
export interface PublishedDocument extends Omit<DescribedDocument, 'path'> {
  /** The header `Cache-Control`. */
  readonly cacheControl: string;
  /** Returns the present content. */
  readonly content: () => object;
}

/**
 * The default size limit of request bodies. Stored objects may have 1.5 MiB; patches and other
 * encodings can be longer.
 */
export const defaultBodyLimitBytes = 3 * 1024 * 1024;

import type { Logger } from 'pino';
import type { ApiServices } from '../../api/api-services/api-services.ts';
import { isRemote } from '../../api/api-services/api-service.ts';
import type { Exchange } from '../../api/request/exchange.ts';
import type { PeerServers } from '../../api/peer-servers.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { passedHeader, passedHeaderKey } from '../../identifiers/peer-header.ts';
import { memoize } from '../../meta/memoize.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { type Backend, createBackend } from '../../outbound/backend.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import type { OpenTunnel } from '../../outbound/proxy/send-connect.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import type { Catalogue } from '../../registry/definition/catalogue.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import type { WatchCache } from '../../storage/cache/watch-cache.ts';
import { StatusError } from '../../status/status-error.ts';
import { passTo } from '../forward/create-forward.ts';
import { ExcludedVersions } from './excluded-versions.ts';
import { followIdentityLeases } from './identity-leases.ts';
import { addressOfPeer } from './peer-addresses.ts';
import { createPeerMetrics } from './peer-metrics.ts';
import { readPeerResources } from './peer-resources.ts';
import { Peers } from './peers.ts';

/** The dependencies of forwarding to peers. */
interface PeerDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly caches: WatchCache;
  readonly store: ObjectStore;
  readonly prefix: string;
  /** The versions that aggregated servers serve; undefined if APIServices are not served. */
  readonly services: ApiServices | undefined;
  /** The identity of this server. */
  readonly ownId: string;
  /** Returns the PEM of the CAs that verify peers. */
  readonly ca: () => string;
  /**
   * Returns the certificate that identifies this server to peers, which trust the user headers with
   * it.
   */
  readonly certificate: () => ProxyCertificate;
  /** The tunnel to peers; undefined: direct connections. */
  readonly tunnel: OpenTunnel | undefined;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A certificate and its key, in PEM. */
interface ProxyCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The peers of a running server. */
interface ServedPeers {
  /** The peers as the HTTP layer uses them. */
  readonly servers: PeerServers;
  /** Starts to follow the identity Leases of the servers. Further calls do nothing. */
  start(): void;
}

/**
 * Connects the other servers of the store (peers): requests for a resource that only peers serve
 * are forwarded to one of them, and discovery includes their resources.
 */
export function createPeers(dependencies: PeerDependencies): ServedPeers {
  const { identifiers, catalogue, caches, store, prefix, ownId, log, signal } = dependencies;
  const metrics = createPeerMetrics();
  dependencies.metrics.register(...metrics.families);
  const backend = peerBackend(dependencies);
  const addressOf = (id: string) => addressOfPeer({ store, prefix, signal }, id);
  const excluded = excludedVersions(dependencies);
  const ask = (address: ServerAddress) => readPeerResources({ identifiers, backend: backend(), address, signal });
  const peers = new Peers({ ownId, addressOf, ask, excluded, metrics, log, signal });
  const pass = async (exchange: Exchange, ids: readonly string[]): Promise<void> => {
    const { group = '', version = '', resource = '' } = exchange.path.target ?? {};
    const address = await anyAddress(ids, addressOf);
    if (!address) {
      metrics.failed.with('endpoint_resolution', group, version, resource).add();
      throw new StatusError('ServiceUnavailable', noAddress);
    }
    const marked = [passedHeader, 'true'];
    try {
      await passTo(exchange, backend(), { address, headers: marked, shutdown: signal });
    } finally {
      metrics.passed.with(String(exchange.response.statusCode), group, version, resource).add();
    }
  };
  let isFollowing = false;
  return {
    servers: {
      merge: () => peers.merge,
      passOn: (exchange) => {
        const { target } = exchange.path;
        if (!target || exchange.request.headers[passedHeaderKey] === 'true') return undefined;
        if (catalogue.current.find(target.group, target.version, target.resource)) return undefined;
        const ids = peers.serving(target);
        return ids.length > 0 ? pass(exchange, ids) : undefined;
      },
    },
    start() {
      const leases = catalogue.current.resource(`coordination.${identifiers.apiDomain}`, 'leases');
      const cache = leases && cacheOf(caches, leases);
      if (!cache || isFollowing) return;
      isFollowing = true;
      followIdentityLeases(cache, identifiers, (id, holder) => peers.changed(id, holder));
    },
  };
}

const noAddress = 'Error getting ip and port info of the remote server while proxying';

/** The address of a random peer among several. */
async function anyAddress(
  ids: readonly string[],
  addressOf: (id: string) => Promise<ServerAddress | undefined>,
): Promise<ServerAddress | undefined> {
  const known = (await Promise.all(ids.map(addressOf))).filter((address) => address !== undefined);
  return known[Math.floor(Math.random() * known.length)];
}

/** The connections to peers; new ones use the current CA and certificate files. */
function peerBackend({ identifiers, ca, certificate, tunnel, signal }: PeerDependencies): () => Backend {
  const serverName = `${identifiers.product}.default.svc`;
  let current: { readonly ca: string; readonly certificate: ProxyCertificate; readonly backend: Backend } | undefined;
  signal.addEventListener('abort', () => current?.backend.close(), { once: true });
  return () => {
    if (current?.ca === ca() && current.certificate === certificate()) return current.backend;
    current?.backend.close();
    const backend = createBackend({ ca: ca(), insecure: false, serverName, ...certificate(), tunnel });
    current = { ca: ca(), certificate: certificate(), backend };
    return backend;
  };
}

/** The versions of custom resources and aggregated servers, which all servers of a store have. */
function excludedVersions({ catalogue, services }: PeerDependencies): () => ReadonlySet<string> {
  const customOf = memoize(({ resources }: Catalogue): readonly string[] =>
    resources.flatMap(({ isCustom, group, versions }) =>
      isCustom ? versions.map(({ version }) => `${group}/${version}`) : [],
    ),
  );
  const remoteOf = memoize(({ byName }: ApiServices['current']): readonly string[] =>
    [...byName.values()].flatMap((one) => (isRemote(one) ? [`${one.group}/${one.version}`] : [])),
  );
  const joined = memoize((custom: readonly string[]) =>
    memoize((remote: readonly string[]): ReadonlySet<string> => new Set([...custom, ...remote])),
  );
  const excluded = new ExcludedVersions();
  return () => excluded.with(joined(customOf(catalogue.current))(services ? remoteOf(services.current) : noVersions));
}

const noVersions: readonly string[] = [];

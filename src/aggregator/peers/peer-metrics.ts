import { counterVector } from '../../metrics/metric-vector.ts';

/** The metrics of peers, with the names of kube-apiserver. */
export function createPeerMetrics() {
  const passed = counterVector(
    {
      name: 'apiserver_rerouted_request_total',
      help: 'Requests that were passed on to a peer, because this server does not serve their resource.',
    },
    ['code', 'group', 'version', 'resource'],
  );
  const failed = counterVector(
    {
      name: 'apiserver_peer_proxy_errors_total',
      help: 'Requests that could not be passed on to a peer.',
    },
    ['type', 'group', 'version', 'resource'],
  );
  const unread = counterVector(
    {
      name: 'apiserver_peer_discovery_sync_errors_total',
      help: 'Failed attempts to read what a peer serves.',
    },
    ['type'],
  );
  return { families: [passed, failed, unread], passed, failed, unread };
}

/** The metrics of peers. */
export type PeerMetrics = ReturnType<typeof createPeerMetrics>;

import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Etcd3 } from 'etcd3';
import { UnaryCalls } from './grpc/unary-calls.ts';
import { type OpenConnection, type RelayTarget, startRelay } from './relay.ts';
import type { Tracing } from '../tracing/span.ts';
import { decodeWatchMessage, type WatchMessage } from './watch-messages.ts';

/** Contents of PEM files for etcd: trusted authorities, client certificate and key. */
export interface EtcdTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * The address of an etcd member, a URL without more than a host and a port, or `host:port`, as
 * `<scheme>://<host>:<port>`; undefined for any other text.
 */
export function endpointAddress(text: string): string | undefined {
  const hasScheme = /^[a-z]+:\/\//.test(text);
  if (!hasScheme && !/:\d+$/.test(text)) return undefined;
  const withScheme = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined;
  if (url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/') return undefined;
  return `${url.protocol}//${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

/** A stream of watches with a connection of its own. */
interface WatchConnection {
  /** Takes encoded requests; has back pressure down to the connection. */
  readonly stream: ClientDuplexStream<Buffer, WatchMessage>;
  /** Closes the connection. */
  close(): void;
}

/**
 * The clients of one etcd member. Watches have connections of their own: etcd3 closes all
 * connections of a client when one of its calls fails, and a timed-out read must not end them.
 */
export interface Endpoint {
  readonly address: string;
  /** Replaced when the credentials change. */
  readonly unary: Etcd3;
  /** Range and Txn calls, at a lower cost than through etcd3. */
  readonly calls: UnaryCalls;
  /**
   * Opens a stream of the watch service with the present credentials. A member that lost its leader
   * ends it; otherwise it would stay silent.
   */
  openWatch(): WatchConnection;
  close(): void;
}

// Only a ping detects a half-open connection (pulled cable, frozen machine, firewall state lost),
// and until then the caches do not advance: at most nine seconds. etcd closes connections that ping
// more often than every five seconds.
const channelOptions = Object.freeze({
  'grpc.keepalive_time_ms': 6_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Otherwise all channels to one address share a connection, its flow control and its failure.
  'grpc.use_local_subchannel_pool': 1,
  // The default allows 64 KiB per loop turn; under load the watch would lag behind the writes.
  'grpc-node.flow_control_window': 8 << 20,
});

const watchMethod = '/etcdserverpb.Watch/Watch';

/**
 * Creates the clients of one member. They connect at the first call, with the credentials that
 * `tls` returns then. etcd3 is imported dynamically: it reads its protocol files on import (0.1 s),
 * which servers with another store do not need. `onOpen` is called for each connection of `calls`
 * when it is open.
 */
export async function openEndpoint(
  address: string,
  tls: (() => EtcdTls) | undefined,
  { onOpen, tracing, open }: EndpointHooks,
): Promise<Endpoint> {
  const [{ Etcd3 }, { noop }, grpc] = await Promise.all([
    import('etcd3'),
    import('cockatiel'),
    import('@grpc/grpc-js'),
  ]);
  const relay = open && (await startRelay(targetOf(address), open));
  const channel = relay ? { ...channelOptions, ...namesOf(address) } : channelOptions;
  const options = {
    hosts: relay ? `unix:${relay.path}` : address,
    // etcd3 would retry writes too, and stop calling a member after three errors of any kind; see
    // `EtcdClient`.
    faultHandling: { global: noop, host: () => noop },
    grpcOptions: channel,
  };
  const newClient = (): Etcd3 => new Etcd3({ ...options, ...(tls ? { credentials: credentialsOf(tls()) } : {}) });
  let credentials = tls?.();
  let unary = newClient();
  const calls = new UnaryCalls(address, tls, { onOpen, tracing, path: relay?.path });
  let closed = false;
  /**
   * etcd3 takes credentials only at creation, so a new client is made. Running calls finish on
   * their connection.
   */
  const renewCredentials = (): void => {
    const present = tls?.();
    if (present === credentials || closed) return;
    credentials = present;
    unary.close();
    unary = newClient();
  };
  const channelCredentials = () => {
    if (!tls) return grpc.credentials.createInsecure();
    const { ca = null, cert = null, key = null } = tls();
    return grpc.credentials.createSsl(ca, key, cert);
  };
  const requireLeader = new grpc.Metadata();
  requireLeader.set('hasleader', 'true');
  return {
    address,
    get unary() {
      renewCredentials();
      return unary;
    },
    calls,
    openWatch() {
      const target = relay ? `unix:${relay.path}` : new URL(address).host;
      const client = new grpc.Client(target, channelCredentials(), channel);
      const stream = client.makeBidiStreamRequest(watchMethod, asIs, decodeWatchMessage, requireLeader.clone());
      return { stream, close: () => client.close() };
    },
    close() {
      closed = true;
      unary.close();
      calls.close();
      relay?.close();
    },
  };
}

/** The callbacks of the clients of a member, and the function that connects to it. */
interface EndpointHooks {
  readonly onOpen: () => void;
  readonly tracing?: Tracing | undefined;
  /** Opens connections; undefined: they are opened directly. */
  readonly open?: OpenConnection | undefined;
}

function targetOf(address: string): RelayTarget {
  const { protocol, hostname, port } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: port === '' ? usual : Number(port) };
}

/** Options with the host name of a member, for a connection over a relay's Unix socket. */
function namesOf(address: string) {
  return { 'grpc.default_authority': new URL(address).host, 'grpc.ssl_target_name_override': targetOf(address).host };
}

/** A request is encoded before it is sent. */
function asIs(message: Buffer): Buffer {
  return message;
}

function credentialsOf(tls: EtcdTls) {
  return {
    // Without a CA, grpc-js trusts the system's authorities; etcd3's types do not allow that.
    rootCertificate: tls.ca as Buffer,
    ...(tls.cert && tls.key ? { certChain: tls.cert, privateKey: tls.key } : {}),
  };
}

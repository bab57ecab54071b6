import type { Metadata, InterceptingCall } from '@grpc/grpc-js';
import type { Etcd3 } from 'etcd3';
import { UnaryCalls } from './grpc/unary-calls.ts';

/** Contents of PEM files for etcd: trusted authorities, client certificate and key. */
export interface EtcdTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * The clients of one etcd member. Unary calls and watches have separate etcd3 clients, because
 * etcd3 closes all connections of a client when one of its calls fails: a timed-out read must not
 * end the watches.
 */
export interface Endpoint {
  readonly address: string;
  readonly unary: Etcd3;
  /** Replaced by `renewWatches` and, like `unary`, when the credentials change. */
  readonly watches: Etcd3;
  /** Range and Txn calls, at a lower cost than through etcd3. */
  readonly calls: UnaryCalls;
  /**
   * Options of a watch call. With them a member that lost its leader ends the stream; otherwise the
   * stream would stay silent.
   */
  readonly requireLeader: object;
  /**
   * Closes the client of watches if it is still this one; the next watch opens a new connection.
   */
  renewWatches(failed: Etcd3): void;
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

/**
 * Creates the clients of one member. They connect at the first call, with the credentials that
 * `tls` returns then. etcd3 is imported dynamically: it reads its protocol files on import (0.1 s),
 * which servers with another store do not need.
 */
export async function openEndpoint(address: string, tls: (() => EtcdTls) | undefined): Promise<Endpoint> {
  const [{ Etcd3 }, { noop }, { InterceptingCall: Interception }] = await Promise.all([
    import('etcd3'),
    import('cockatiel'),
    import('@grpc/grpc-js'),
  ]);
  const options = {
    hosts: address,
    // etcd3 would retry writes too, and stop calling a member after three errors of any kind; see
    // `EtcdClient`.
    faultHandling: { global: noop, host: () => noop },
    grpcOptions: channelOptions,
  };
  const newClient = (): Etcd3 => new Etcd3({ ...options, ...(tls ? { credentials: credentialsOf(tls()) } : {}) });
  let credentials = tls?.();
  let unary = newClient();
  let watches = newClient();
  const calls = new UnaryCalls(address, tls);
  let closed = false;
  /**
   * etcd3 takes credentials only at creation, so new clients are made. Running calls and watches
   * finish on their connections.
   */
  const renewCredentials = (): void => {
    const present = tls?.();
    if (present === credentials || closed) return;
    credentials = present;
    for (const client of [unary, watches]) client.close();
    unary = newClient();
    watches = newClient();
  };
  return {
    address,
    get unary() {
      renewCredentials();
      return unary;
    },
    get watches() {
      renewCredentials();
      return watches;
    },
    calls,
    requireLeader: leaderRequired(Interception),
    renewWatches(failed) {
      if (failed !== watches || closed) return;
      watches = newClient();
      failed.close();
    },
    close() {
      closed = true;
      unary.close();
      watches.close();
      calls.close();
    },
  };
}

/** See `Endpoint.requireLeader`. */
function leaderRequired(Interception: typeof InterceptingCall): object {
  return {
    interceptors: [
      (callOptions: object, nextCall: (options: object) => InterceptingCall) =>
        new Interception(nextCall(callOptions), {
          start(metadata: Metadata, listener, next) {
            metadata.set('hasleader', 'true');
            next(metadata, listener);
          },
        }),
    ],
  };
}

function credentialsOf(tls: EtcdTls) {
  return {
    // Without a CA, grpc-js trusts the system's authorities; etcd3's types do not allow that.
    rootCertificate: tls.ca as Buffer,
    ...(tls.cert && tls.key ? { certChain: tls.cert, privateKey: tls.key } : {}),
  };
}

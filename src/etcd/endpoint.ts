import type { Metadata, InterceptingCall } from '@grpc/grpc-js';
import type { Etcd3 } from 'etcd3';
import { UnaryCalls } from './unary-calls.ts';

/** PEM files' contents for talking to etcd: whom to trust, and who we are. */
export interface EtcdTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * The clients of one etcd member. Those of etcd3 are apart because etcd3 closes all connections of a client when one of its
 * calls fails, and a timed-out read must not end the watches.
 */
export interface Endpoint {
  readonly address: string;
  readonly unary: Etcd3;
  /** Changes with `renewWatches` and, as `unary` does, with the credentials. */
  readonly watches: Etcd3;
  /** Ranges and transactions, for less. */
  readonly calls: UnaryCalls;
  /** Options of a watch call: with them a member that lost its leader ends the stream instead of keeping it silent. */
  readonly requireLeader: object;
  /** Gives up the connection of watches if it is still this one: the next watch opens another. */
  renewWatches(failed: Etcd3): void;
  close(): void;
}

// A connection that is half open (pulled cable, frozen machine, a firewall that forgot it) is only noticed by pinging, and until
// then the caches stand still: nine seconds at most. etcd closes connections that ping more often than every five seconds.
const channelOptions = Object.freeze({
  'grpc.keepalive_time_ms': 6_000,
  'grpc.keepalive_timeout_ms': 3_000,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Otherwise all channels to one address share a connection, and with it its flow control and its end.
  'grpc.use_local_subchannel_pool': 1,
  // The default lets 64 KiB through in a turn of the event loop: under load the watch would fall behind the writes.
  'grpc-node.flow_control_window': 8 << 20,
});

/**
 * Makes the clients of one member; connects at the first call, with the credentials that `tls`
 * answers then. etcd3 is loaded here, at run time, since it reads its protocol files when it is
 * imported (a tenth of a second), which nobody with another store should pay for.
 */
export async function openEndpoint(address: string, tls: (() => EtcdTls) | undefined): Promise<Endpoint> {
  const [{ Etcd3 }, { noop }, { InterceptingCall: Interception }] = await Promise.all([
    import('etcd3'),
    import('cockatiel'),
    import('@grpc/grpc-js'),
  ]);
  const options = {
    hosts: address,
    // etcd3 would retry writes too, and stop calling a member after three errors of any kind; see `EtcdClient`.
    faultHandling: { global: noop, host: () => noop },
    grpcOptions: channelOptions,
  };
  const newClient = (): Etcd3 => new Etcd3({ ...options, ...(tls ? { credentials: credentialsOf(tls()) } : {}) });
  let credentials = tls?.();
  let unary = newClient();
  let watches = newClient();
  const calls = new UnaryCalls(address, tls);
  let closed = false;
  /** Etcd3 takes credentials once. Calls and watches that are under way end on the connections that they have. */
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
    // grpc-js trusts the system's authorities where none is given; etcd3's types do not know that.
    rootCertificate: tls.ca as Buffer,
    ...(tls.cert && tls.key ? { certChain: tls.cert, privateKey: tls.key } : {}),
  };
}

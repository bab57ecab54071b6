import { Duplex } from 'node:stream';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { Client } from '../client.ts';
import type { CallOptions } from '../resource-options.ts';
import { resourcePath } from '../resource-path.ts';
import { StatusError } from '../error-of-response.ts';
import { openWebSocket, type WebSocketConnection } from './open-web-socket.ts';

const protocols = identifierSets.map((set) => `v4.channel.${identifiersOf(set).apiDomain}`);
/** Leads several ports; without a stream in it, it reaches the node and none of the ports. */
const tunnels = identifierSets.map((set) => `SPDY/3.1+portforward.${identifiersOf(set).apiDomain}`);

const badRequest = 400;

/** The first byte of each message. */
const channels = Object.freeze({ data: 0, error: 1 });
/** The first message of each channel is the port. */
const portBytes = 2;
const largestMessage = 32 * 1024 - 1;
/** The protocol has no half-close: after the caller's end, silence ends the connection. */
const silenceMs = 10_000;

/**
 * Connects to a TCP port of a pod. The stream is destroyed with the error of the node if nothing
 * listens on the port. A caller that ends its side can still read; the program in the pod does not
 * see that end, and the stream ends when nothing arrives for ten seconds.
 *
 * @example
 * const stream = await connectToPort(client, 'web', 8080);
 */
export async function connectToPort(
  { transport, settings }: Client,
  pod: string,
  port: number,
  { namespace = settings.namespace, signal }: CallOptions = {},
): Promise<Duplex> {
  const connection = await openWebSocket(transport, protocols, {
    path: pathOf(pod, namespace),
    query: { ports: port },
    ...(signal ? { signal } : {}),
  });
  return duplexOver(connection);
}

function pathOf(pod: string, namespace: string): string {
  return resourcePath(
    { group: '', version: 'v1', resource: 'pods' },
    { namespace, name: pod, subresource: 'portforward' },
  );
}

/**
 * Rejects if ports of a pod cannot be reached at all: a missing pod or right, a node that does not
 * answer. Connects to none of them.
 */
export async function checkPorts(
  { transport, settings }: Client,
  pod: string,
  { namespace = settings.namespace, signal }: CallOptions = {},
): Promise<void> {
  try {
    const request = { path: pathOf(pod, namespace), ...(signal ? { signal } : {}) };
    (await openWebSocket(transport, tunnels, request)).close();
  } catch (error) {
    // A node may be too old for tunnels.
    if (signal?.aborted || (error instanceof StatusError && error.code !== badRequest)) throw error;
  }
}

function duplexOver(connection: WebSocketConnection): Duplex {
  let silence: NodeJS.Timeout | undefined;
  let wanted: (() => void) | undefined;
  const duplex = new Duplex({
    read: () => wanted?.(),
    write: (chunk: Buffer, _encoding, settle) => void sendData(connection, chunk).then(() => settle(), settle),
    final: (done) => {
      silence = setTimeout(() => connection.close(), silenceMs).unref();
      done();
    },
    destroy: (error, done) => {
      clearTimeout(silence);
      connection.close();
      done(error);
    },
  });
  const receive = async (): Promise<void> => {
    for await (const bytes of dataOf(connection)) {
      silence?.refresh();
      // Waits for a reader that is slower than the pod.
      if (!duplex.push(bytes)) await new Promise<void>((resolve) => (wanted = resolve));
    }
    duplex.push(null);
  };
  receive().catch((error: Error) => duplex.destroy(error));
  return duplex;
}

async function sendData(connection: WebSocketConnection, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += largestMessage) {
    await connection.send(Buffer.concat([Buffer.of(channels.data), bytes.subarray(at, at + largestMessage)]));
  }
}

/** The bytes of the port. Throws what the node reports. */
async function* dataOf(connection: WebSocketConnection): AsyncIterable<Buffer> {
  const begun = new Set<number>();
  for await (const message of connection.messages) {
    const [channel = channels.data] = message;
    const bytes = message.subarray(begun.has(channel) ? 1 : 1 + portBytes);
    begun.add(channel);
    if (bytes.length === 0) continue;
    if (channel === channels.error) throw new Error(bytes.toString());
    yield bytes;
  }
}

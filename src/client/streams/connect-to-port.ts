import { Duplex } from 'node:stream';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { Client } from '../client.ts';
import type { CallOptions } from '../resource-options.ts';
import { resourcePath } from '../resource-path.ts';
import { openWebSocket, type WebSocketConnection } from './web-socket.ts';

const protocols = identifierSets.map((set) => `v4.channel.${identifiersOf(set).apiDomain}`);

/** The first byte of each message. */
const channels = Object.freeze({ data: 0, error: 1 });
/** The first message of each channel is the port. */
const portBytes = 2;
const largestMessage = 32 * 1024 - 1;
/** The protocol has no end of one side: after that of the caller, silence ends the connection. */
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
    path: resourcePath(
      { group: '', version: 'v1', resource: 'pods' },
      { namespace, name: pod, subresource: 'portforward' },
    ),
    query: { ports: port },
    ...(signal ? { signal } : {}),
  });
  return duplexOver(connection);
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

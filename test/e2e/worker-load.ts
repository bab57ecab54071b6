import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { request, type Target } from '../http/http-client.ts';
import { onNewConnection } from './worker-processes.ts';

/** Requests that go on until they are stopped. */
export interface RunningLoad {
  /** The number of responses so far. */
  readonly responses: () => number;
  /** Ends the load; resolves with the errors that its clients saw. */
  stop(): Promise<readonly string[]>;
}

/** Clients of each kind: enough that something is always on the way. */
const clients = 2;

type Send = (body: object) => Promise<number>;

/**
 * Clients that write all the time: with a new connection for each request, with kept connections of
 * HTTP/1.1, and with streams on one connection of HTTP/2. None repeats a request that failed, unless
 * it was not sent.
 */
export function startLoad(server: Target, path: string): RunningLoad {
  const stopping = new AbortController();
  const errors: string[] = [];
  let [responses, serial] = [0, 0];
  const http2 = new Http2Writer(server, path);
  const senders: Readonly<Record<string, Send>> = {
    'new connection': async (body) => (await onNewConnection(server, path, 'POST', body)).status,
    'kept connection': async (body) => (await request(server, 'POST', path, body)).status,
    stream: (body) => http2.create(body),
  };
  const run = async (kind: string, send: Send): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const status = await send({ metadata: { name: `load-${++serial}` } });
        if (status !== 201) errors.push(`${kind}: ${status}`);
        responses++;
      } catch (error) {
        errors.push(`${kind}: ${String(error)}`);
      }
    }
  };
  const running = Object.entries(senders).flatMap(([kind, send]) =>
    Array.from({ length: clients }, () => run(kind, send)),
  );
  return {
    responses: () => responses,
    async stop() {
      stopping.abort();
      await Promise.all(running);
      http2.close();
      return errors;
    },
  };
}

/** Streams of one connection, and of the next one after a GOAWAY. */
class Http2Writer {
  readonly #server: Target;
  readonly #path: string;
  readonly #sessions: ClientHttp2Session[] = [];

  constructor(server: Target, path: string) {
    this.#server = server;
    this.#path = path;
  }

  async create(body: object): Promise<number> {
    const stream = this.#session().request({
      ':method': 'POST',
      ':path': this.#path,
      authorization: `Bearer ${this.#server.token}`,
      'content-type': 'application/json',
    });
    stream.end(JSON.stringify(body));
    const responded = once(stream, 'response') as Promise<[Record<string, unknown>]>;
    stream.resume();
    try {
      const [headers] = await responded;
      if (!stream.closed) await once(stream, 'close');
      return Number(headers[':status']);
    } catch (error) {
      // A GOAWAY came before the client had sent it (RFC 9113, 8.7).
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return this.create(body);
      throw error;
    }
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #session(): ClientHttp2Session {
    const last = this.#sessions.at(-1);
    if (last && !last.closed && !last.destroyed) return last;
    const session = connect(this.#server.url, { ca: this.#server.ca });
    session.on('error', () => {});
    this.#sessions.push(session);
    return session;
  }
}

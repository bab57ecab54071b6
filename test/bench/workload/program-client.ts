import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { LoadTarget } from '../load/http-client.ts';

/** A request of a program; a body is Protobuf. */
export interface ProgramRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: Buffer;
  /** An error that is expected besides success. */
  readonly expected?: number;
}

/** The bytes of a watch so far. */
export interface OpenWatch {
  receivedBytes: number;
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** Streams of a connection before its server has said how many it takes. */
const firstStreams = 100;

/**
 * The requests of a program in Go: Protobuf over HTTP/2, all on one connection, and on another one
 * while the first has as many streams as its server takes. Watches are read and not decoded.
 */
export class ProgramClient {
  readonly #target: LoadTarget;
  readonly #sessions = new Map<ClientHttp2Session, number>();

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  /** The body of the response. Throws for a status of 300 or more that is not expected. */
  send({ method, path, body, expected }: ProgramRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stream = this.#open(method, path, body !== undefined);
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on('response', (response) => (status = Number(response[':status'])));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () => {
        const received = Buffer.concat(chunks);
        if (status < 300 || status === expected) resolve(received);
        else reject(new Error(`${method} ${path}: ${status} ${received.toString('latin1', 0, 300)}`));
      });
      stream.end(body);
    });
  }

  /** Opens a watch and resolves when it has begun; it lasts until the client is closed. */
  watch(path: string): Promise<OpenWatch> {
    return new Promise((resolve, reject) => {
      const stream = this.#open('GET', path, false);
      const watch: OpenWatch = { receivedBytes: 0 };
      stream.on('response', (response) => {
        if (response[':status'] === 200) resolve(watch);
        else reject(new Error(`${path}: ${response[':status']}`));
      });
      stream.on('data', (chunk: Buffer) => (watch.receivedBytes += chunk.length));
      stream.on('error', reject);
      stream.end();
    });
  }

  /** Ends all connections, with their watches. */
  close(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  #open(method: string, path: string, hasBody: boolean): ClientHttp2Stream {
    const session = this.#free() ?? this.#connect();
    this.#count(session, 1);
    const type = hasBody ? { 'content-type': protobuf } : {};
    const accept = `${protobuf}, */*`;
    const stream = session.request({ ':method': method, ':path': path, accept, ...this.#target.headers, ...type });
    stream.on('close', () => this.#count(session, -1));
    return stream;
  }

  #free(): ClientHttp2Session | undefined {
    for (const [session, streams] of this.#sessions) {
      if (streams < (session.remoteSettings.maxConcurrentStreams ?? firstStreams)) return session;
    }
    return undefined;
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.#target.url, { rejectUnauthorized: false, settings: { initialWindowSize: 2 ** 22 } });
    session.once('connect', () => session.setLocalWindowSize(2 ** 26));
    // Requests report the errors of their connection.
    session.on('error', () => {});
    this.#sessions.set(session, 0);
    return session;
  }

  #count(session: ClientHttp2Session, change: 1 | -1): void {
    this.#sessions.set(session, (this.#sessions.get(session) ?? 0) + change);
  }
}

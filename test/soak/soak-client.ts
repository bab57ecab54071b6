import { connect, type ClientHttp2Session, constants } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { Client } from 'undici';

/** The server under soak. */
export interface SoakTarget {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** One request; `body` is sent as `type`. */
export interface SoakRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
}

/** A complete answer, decompressed. */
export interface SoakResponse {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * One connection that is reopened when it was closed between requests. A request rejects where the answer breaks the
 * protocol: bytes beyond the announced length, an answer that is cut off, a stream that is reset.
 */
export interface SoakClient {
  send(request: SoakRequest): Promise<SoakResponse>;
  close(): Promise<void>;
}

/** Opens a client of a protocol. `onFault` is called for bytes that belong to no answer. */
export function openSoakClient(
  target: SoakTarget,
  protocol: 'http1' | 'http2',
  onFault: (message: string) => void,
): SoakClient {
  return protocol === 'http1' ? http1Client(target, onFault) : http2Client(target);
}

function http1Client({ url, ca, token }: SoakTarget, onFault: (message: string) => void): SoakClient {
  const client = new Client(url, { connect: { ca }, headersTimeout: 90_000, bodyTimeout: 90_000 });
  let closing = false;
  client.on('disconnect', (_origin, _targets, error) => {
    // The server closes idle connections; anything else that ends one is a fault of framing.
    if (!closing && !/other side closed|closed|ended/i.test(error.message))
      onFault(`a connection broke: ${error.message}`);
  });
  return {
    async send({ method = 'GET', path, headers, body, type = 'application/json' }) {
      const response = await client.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return { status: response.statusCode, body: decoded(bytes, response.headers['content-encoding']) };
    },
    async close() {
      closing = true;
      await client.destroy();
    },
  };
}

function http2Client({ url, ca, token }: SoakTarget): SoakClient {
  let session: ClientHttp2Session | undefined;
  const present = (): ClientHttp2Session => {
    if (session && !session.closed && !session.destroyed) return session;
    session = connect(url, { ca });
    session.on('error', () => undefined);
    return session;
  };
  return {
    send: ({ method = 'GET', path, headers, body, type = 'application/json' }) =>
      new Promise((resolve, reject) => {
        const stream = present().request({
          ':method': method,
          ':path': path,
          authorization: `Bearer ${token}`,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': type }),
        });
        const chunks: Buffer[] = [];
        let status = 0;
        let announced: string | undefined;
        let encoding: string | undefined;
        stream.on('response', (head) => {
          status = Number(head[':status']);
          announced = head['content-length'];
          encoding = head['content-encoding'];
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on('close', () => {
          const bytes = Buffer.concat(chunks);
          if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) reject(new Error(`reset with code ${stream.rstCode}`));
          else if (announced !== undefined && Number(announced) !== bytes.length) {
            reject(new Error(`${bytes.length} bytes where ${announced} were announced`));
          } else resolve({ status, body: decoded(bytes, encoding) });
        });
        stream.end(body);
      }),
    async close() {
      session?.destroy();
    },
  };
}

function decoded(bytes: Buffer, encoding: string | string[] | undefined): Buffer {
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

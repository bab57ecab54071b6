import { connect } from 'node:http2';
import { Http1Connection } from './http1-connection.ts';

/** Where requests go, as whom. */
export interface LoadTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of the load; a body is JSON unless `type` says what else. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  /** The format of the answer; JSON if it is not given. */
  readonly accept?: string;
  readonly body?: string;
}

/** One connection, used for one request at a time. */
export interface HttpClient {
  /** The body of the answer. Throws for a status of 300 or more. */
  send(request: LoadRequest): Promise<Buffer>;
  close(): Promise<void>;
}

/** HTTP versions that the load can speak. */
export type HttpVersion = 'http1' | 'http2';

/** Opens a connection. Certificates are not checked: what is measured stands on this machine. */
export function openClient(place: LoadTarget, version: HttpVersion = 'http1'): HttpClient {
  return version === 'http1' ? http1Client(place) : http2Client(place);
}

function http1Client(place: LoadTarget): HttpClient {
  const connection = Http1Connection.open(place);
  return {
    send: async (request) => (await connection).send(request),
    close: async () => (await connection).close(),
  };
}

function http2Client({ url, headers }: LoadTarget): HttpClient {
  const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 2 ** 24 } });
  // Node acknowledges by this window across all streams of the session.
  session.once('connect', () => session.setLocalWindowSize(2 ** 26));
  return {
    send: ({ method = 'GET', path, type: contentType = 'application/json', accept = 'application/json', body }) =>
      new Promise((resolve, reject) => {
        const type = body === undefined ? {} : { 'content-type': contentType };
        const stream = session.request({ ':method': method, ':path': path, accept, ...headers, ...type });
        const chunks: Buffer[] = [];
        let status = 0;
        stream.on('response', (response) => {
          status = Number(response[':status']);
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => settle({ status, path, chunks }, resolve, reject));
        stream.on('error', reject);
        stream.end(body);
      }),
    close: () => new Promise((resolve) => session.close(resolve)),
  };
}

function settle(
  response: { readonly status: number; readonly path: string; readonly chunks: readonly Buffer[] },
  resolve: (body: Buffer) => void,
  reject: (error: Error) => void,
): void {
  const { status, path, chunks } = response;
  const [first] = chunks;
  const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  if (status < 300) resolve(body);
  else reject(new Error(`${path}: ${status} ${body.toString().slice(0, 300)}`));
}

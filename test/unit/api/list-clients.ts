import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { http2Settings } from '../../../src/http-protocol/messages/server-settings.ts';
import type { Fixture } from './fixture.ts';

/** One connection of one client that reads lists. A test fails when an answer is not whole. */
export interface ListClient extends AsyncDisposable {
  /** `HTTP/1.1` or `HTTP/2`, with the encoding. */
  readonly name: string;
  /** The decoded body of a GET that must be answered 200. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<Buffer>;
}

/**
 * A client for each protocol and encoding. Each keeps one connection open from request to request.
 */
export async function openListClients(server: Fixture): Promise<readonly ListClient[]> {
  return [
    http1Client(server, false),
    http1Client(server, true),
    await http2Client(server, false),
    await http2Client(server, true),
  ];
}

function http1Client({ port }: Fixture, gzip: boolean): ListClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return {
    name: gzip ? 'HTTP/1.1 gzip' : 'HTTP/1.1 identity',
    async read(path, headers = {}) {
      const request = http.request({
        host: '127.0.0.1',
        port,
        agent,
        path,
        headers: { ...encodings(gzip), ...headers },
      });
      request.end();
      // The event passes an IncomingMessage.
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const body = await bodyOf(response);
      if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body.toString()}`);
      return decoded(response.headers['content-encoding'], body);
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
    },
  };
}

async function http2Client({ handler }: Fixture, gzip: boolean): Promise<ListClient> {
  const server = http2.createServer(http2Settings, handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  return {
    name: gzip ? 'HTTP/2 gzip' : 'HTTP/2 identity',
    async read(path, headers = {}) {
      const stream = session.request({ ':path': path, ...encodings(gzip), ...headers });
      // The event passes the headers.
      const [response] = (await once(stream, 'response')) as [
        http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader,
      ];
      const body = await bodyOf(stream);
      if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR) throw new Error(`reset with code ${stream.rstCode}`);
      if (response[':status'] !== 200) throw new Error(`${response[':status']}: ${body.toString()}`);
      const announced = response['content-length'];
      if (announced !== undefined && Number(announced) !== body.length) throw new Error('not the announced length');
      return decoded(response['content-encoding'], body);
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
      server.close();
    },
  };
}

function encodings(gzip: boolean): { readonly 'accept-encoding': string } {
  return { 'accept-encoding': gzip ? 'gzip' : 'identity' };
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decoded(encoding: string | undefined, body: Buffer): Buffer {
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

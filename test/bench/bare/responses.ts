// The least that can answer: under /koa/ a minimal Koa handler, under /asking/ the same that first asks etcd for its revision, together
// with all who wait for that, under /raw/ a bare `res.end(buffer)`, over the TLS and protocols of the server. The folder is read at
// each first use of a name. Arguments: certificate, key, folder, address of etcd. Prints its port.
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Koa from 'koa';
import { connectEtcd } from '../../../src/etcd/etcd-client.ts';
import { sharedRevisionReads } from '../../../src/storage/port/revision-reads.ts';

const [certFile = '', keyFile = '', folder = '', etcdAddress = ''] = process.argv.slice(2);
const responses = new Map<string, Buffer>();

function responseOf(url: string): Buffer {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const known = responses.get(name) ?? readFileSync(path.join(folder, path.basename(name)));
  responses.set(name, known);
  return known;
}

const etcd = await connectEtcd({ endpoints: [etcdAddress] });
const askEtcd = sharedRevisionReads(() => etcd.revision());

const app = new Koa();
app.use(async (context) => {
  if (context.method !== 'GET') {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
  }
  if (context.path.startsWith('/asking/')) await askEtcd();
  context.type = 'application/json';
  context.body = responseOf(context.path);
});
const koa = app.callback();

function respondRaw(response: ServerResponse | Http2ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

const options = { cert: readFileSync(certFile), key: readFileSync(keyFile), allowHTTP1: true, noDelay: true };
const handle = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
  const url = request.url ?? '/';
  if (url.startsWith('/raw/')) respondRaw(response, responseOf(url));
  else void koa(request, response);
};
const server = createSecureServer(options, handle);
// The address of a listening TCP server is an AddressInfo.
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

// The least that can serve the scenario `workload`: a Koa handler that reads the body, one transaction through etcd3 for each write, a response of
// the same length, and a frame of the same length to each watch of the resource. Arguments: certificate, key, folder of the responses by their
// shape, address of etcd. Prints its port.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { Etcd3 } from 'etcd3';
import Koa from 'koa';
import { requestShape } from '../workload/request-shape.ts';

const [certFile = '', keyFile = '', folder = '', endpoint = ''] = process.argv.slice(2);
const etcd = new Etcd3({ hosts: endpoint });

/** A key that was written, and its present revision. */
interface WrittenKey {
  readonly key: Buffer;
  revision: string;
}

const written = new Map<string, WrittenKey[]>();
const watches = new Map<string, Set<Writable>>();
const responses = new Map<string, Buffer>();
let serial = 0;

function responseTo(shape: string): Buffer {
  const known = responses.get(shape) ?? readFileSync(path.join(folder, encodeURIComponent(shape)));
  responses.set(shape, known);
  return known;
}

async function create(resource: string, value: Buffer): Promise<void> {
  const key = Buffer.from(`/bare/${process.pid}/${resource}/${serial++}`);
  const { header } = await etcd.kv.txn({
    compare: [{ key, target: 'Create', result: 'Equal', create_revision: 0 }],
    success: [{ request_put: { key, value } }],
  });
  const keys = written.get(resource) ?? [];
  written.set(resource, keys);
  keys.push({ key, revision: header.revision });
}

async function update(resource: string, value: Buffer): Promise<void> {
  const keys = written.get(resource) ?? [];
  const entry = keys[serial++ % keys.length];
  if (!entry) throw new RangeError(`nothing was created in ${resource}`);
  const { key, revision } = entry;
  const { header } = await etcd.kv.txn({
    compare: [{ key, target: 'Mod', result: 'Equal', mod_revision: revision }],
    success: [{ request_put: { key, value } }],
    failure: [{ request_range: { key } }],
  });
  entry.revision = header.revision;
}

const frameOfJson: Readonly<Record<string, string>> = { pods: 'PATCH pods/status' };
const frameOfProtobuf: Readonly<Record<string, string>> = {
  pods: 'POST pods',
  events: 'POST events',
  replicasets: 'PUT replicasets/status',
  deployments: 'PUT deployments/status',
};

function notify(resource: string): void {
  for (const [format, frames] of Object.entries({ json: frameOfJson, protobuf: frameOfProtobuf })) {
    const open = watches.get(`${resource} ${format}`);
    const frame = frames[resource];
    if (!open || frame === undefined) continue;
    const body = responseTo(frame);
    for (const watch of open) watch.write(body);
  }
}

const app = new Koa();
app.use(async (context) => {
  const shape = requestShape(context.method, context.path);
  context.type = 'application/json';
  if (!shape) {
    context.body = '{}';
    return;
  }
  if (context.method !== 'GET') {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (context.get('content-type').includes('json')) JSON.parse(body.toString());
    const value = responseTo(shape.name);
    const isCreate = context.method === 'POST' && !context.path.endsWith('/binding');
    await (isCreate ? create(shape.resource, value) : update(shape.resource, value));
    notify(shape.resource);
  }
  context.body = responseTo(shape.name);
});
const koa = app.callback();

function openWatch(url: string, accept: string, response: ServerResponse | Http2ServerResponse): void {
  const resource = new URL(url, 'https://bare').pathname.split('/').at(-1) ?? '';
  const name = `${resource} ${accept.includes('protobuf') ? 'protobuf' : 'json'}`;
  const open = watches.get(name) ?? new Set();
  watches.set(name, open.add(response));
  response.once('close', () => open.delete(response));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  // Over HTTP/2 they are sent at once.
  if ('flushHeaders' in response) response.flushHeaders();
}

const options = { cert: readFileSync(certFile), key: readFileSync(keyFile), allowHTTP1: true, noDelay: true };
const handle = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => {
  const { url = '/', headers } = request;
  if (/[?&]watch=/.test(url)) openWatch(url, headers.accept ?? '', response);
  else void koa(request, response);
};
const server = createSecureServer(options, handle);
// The address of a listening TCP server is an AddressInfo.
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { startAggregatedWorld } from '../aggregation/aggregated-world.ts';
import { head, openHttp1, type RawTarget } from '../limits/raw-clients.ts';
import { until } from '../until.ts';
import { idleConnections } from '../../idle-connections.ts';

/**
 * Timeouts are checked four times in the shorter one. A busy machine must begin to pass an upload on
 * within them.
 */
const limits = { headersTimeoutMs: 4_000, receiveTimeoutMs: 5_000 };
const chunked = 'Transfer-Encoding: chunked\r\n';

/** A connection with a request whose body has begun. */
interface Upload {
  readonly socket: TLSSocket;
  readonly text: () => string;
  readonly isClosed: () => boolean;
}

async function begin(target: RawTarget, path: string): Promise<Upload> {
  const socket = await openHttp1(target);
  let [text, isClosed] = ['', false];
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => (isClosed = true));
  socket.write(`${head(target, 'POST', path, chunked)}5\r\nfirst\r\n`);
  return { socket, text: () => text, isClosed: () => isClosed };
}

/** Begins an upload to this server itself, and waits until it has run into its time limit. */
async function overdue(target: RawTarget): Promise<void> {
  const { text, isClosed } = await begin(target, '/api/v1/namespaces/default/configmaps');
  await until('the end of an ordinary upload', isClosed);
  assert.match(text(), /^HTTP\/1\.1 408 /);
}

const rest = '4\r\nlast\r\n0\r\n\r\n';

describe('an upload over HTTP/1.1 that takes longer than requests may', () => {
  let world: NodeWorld;
  let backend: Server;
  let path: string;
  /** Ends the response to `/late`. */
  let late: (() => void) | undefined;

  before(async () => {
    world = await startNodeWorld(limits);
    backend = createServer(idleConnections, (request, response) => {
      if (request.url === '/early') return response.end('early');
      if (request.url === '/late') return (late = () => void response.end('late'));
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      return request.on('end', () => response.end(`got ${body}`));
    });
    backend.listen(0, '127.0.0.1');
    await once(backend, 'listening');
    const { port } = backend.address() as AddressInfo;
    await world.createPod('web', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '127.0.0.1');
    path = `${podsPath}/web:${port}/proxy`;
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    backend.closeAllConnections();
    backend.close();
  });

  it('through a proxy is passed on to its end, and its connection serves the next request', async () => {
    const { socket, text } = await begin(world.server, `${path}/slow`);
    await overdue(world.server);
    socket.write(rest);
    await until('the response', () => text().includes('got firstlast'));
    assert.match(text(), /^HTTP\/1\.1 200 /);
    socket.write(head(world.server, 'GET', '/version'));
    await until('the next response', () => text().includes('gitVersion'));
    socket.destroy();
  });

  it('to an aggregated server is passed on to its end', async () => {
    await using aggregated = await startAggregatedWorld(limits);
    const { server } = aggregated;
    await aggregated.serve('things.example.com');
    const { socket, text } = await begin(server, '/apis/things.example.com/v1/namespaces/default/things');
    await overdue(server);
    socket.write(rest);
    await until('the response', () => /\r\n\r\n/.test(text()));
    assert.match(text(), /^HTTP\/1\.1 200 /);
    assert.equal(aggregated.forwarded().at(-1)?.body, 'firstlast');
    socket.destroy();
  });

  it('has the time limit again once its backend has responded', async () => {
    const { text, isClosed } = await begin(world.server, `${path}/early`);
    await until('the response', () => text().includes('early'));
    await until('the end of the connection', isClosed);
    assert.match(text(), /^HTTP\/1\.1 200 /);
  });

  it('has no time left when its backend responds after the limit', async () => {
    const { text, isClosed } = await begin(world.server, `${path}/late`);
    await until('the request', () => late !== undefined);
    await overdue(world.server);
    assert.equal(isClosed(), false);
    late?.();
    await until('the end of the connection', isClosed);
    assert.match(text(), /^HTTP\/1\.1 200 [\s\S]*late/);
  });
});

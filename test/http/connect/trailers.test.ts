import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { type AggregatedWorld, startAggregatedWorld } from '../aggregation/aggregated-world.ts';
import { openHttp2, openStream, type RawTarget } from '../limits/raw-clients.ts';
import { idleConnections } from '../../idle-connections.ts';

/** A response with its trailers, names in lower case and values alternately. */
interface Received {
  readonly announced: unknown;
  readonly body: string;
  readonly trailers: readonly string[];
}

async function overHttp1({ url, ca, token }: RawTarget, path: string): Promise<Received> {
  const headers = { authorization: `Bearer ${token}`, te: 'trailers' };
  const [response] = (await once(get(`${url}${path}`, { ca, headers }), 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
  const trailers = response.rawTrailers.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text));
  return { announced: response.headers['trailer'], body, trailers };
}

async function overHttp2(target: RawTarget, path: string): Promise<Received> {
  const session = await openHttp2(target);
  const stream = openStream(target, session, { ':path': path, te: 'trailers' });
  const trailers: string[] = [];
  stream.on('trailers', (_headers, _flags, raw: readonly string[]) => trailers.push(...raw));
  const [headers] = (await once(stream, 'response')) as [Readonly<Record<string, unknown>>];
  let body = '';
  for await (const chunk of stream.setEncoding('utf8')) body += String(chunk);
  session.destroy();
  return { announced: headers['trailer'], body, trailers };
}

const protocols = { 'HTTP/1.1': overHttp1, 'HTTP/2': overHttp2 };

/** Answers with trailers, or with another response by the query. */
function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  if (url.endsWith('?unannounced')) response.writeHead(200);
  else response.writeHead(200, { trailer: 'X-Sum, Content-Length, X-Asked' });
  response.write('body');
  if (url.endsWith('?twice')) {
    response.addTrailers([
      ['ETag', '"a"'],
      ['ETag', '"b"'],
    ]);
    response.end();
    return;
  }
  response.addTrailers([
    ['X-Sum', '1'],
    ['X-Sum', 'z\xe9'],
    ['Keep-Alive', '5'],
    ['X-Asked', String(headers['te'])],
  ]);
  response.end();
}

const sent = ['x-sum', '1', 'x-sum', 'z\xe9', 'x-asked', 'trailers'];

describe('the trailers of a response that is passed on', () => {
  let world: NodeWorld;
  let aggregated: AggregatedWorld;
  let backend: Server;
  const targets: { name: string; server: RawTarget; path: string }[] = [];

  before(async () => {
    world = await startNodeWorld();
    backend = createServer(idleConnections, answer).listen(0, '127.0.0.1');
    await once(backend, 'listening');
    await world.createPod('web', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '127.0.0.1');
    const { port } = backend.address() as AddressInfo;
    targets.push({ name: 'proxy', server: world.server, path: `${podsPath}/web:${port}/proxy/` });
    aggregated = await startAggregatedWorld();
    await aggregated.serve('things.example.com');
    const things = '/apis/things.example.com/v1/things';
    aggregated.at(things, answer);
    targets.push({ name: 'aggregated server', server: aggregated.server, path: things });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await aggregated[Symbol.asyncDispose]();
    backend.closeAllConnections();
    backend.close();
  });

  it('reset a stream of HTTP/2 if it cannot have them', async () => {
    for (const { name, server, path } of targets) {
      await assert.rejects(overHttp2(server, `${path}?twice`), /NGHTTP2_INTERNAL_ERROR/, name);
      assert.deepEqual((await overHttp1(server, `${path}?twice`)).trailers, ['etag', '"a"', 'etag', '"b"'], name);
    }
  });

  for (const [protocol, read] of Object.entries(protocols)) {
    it(`reach a client of ${protocol}, without those of the connection`, async () => {
      for (const { name, server, path } of targets) {
        const received = await read(server, path);
        assert.deepEqual(received, { announced: 'X-Sum, X-Asked', body: 'body', trailers: sent }, name);
      }
    });

    it(`reach a client of ${protocol} if they were not announced`, async () => {
      for (const { name, server, path } of targets) {
        const received = await read(server, `${path}?unannounced`);
        assert.deepEqual(received, { announced: undefined, body: 'body', trailers: sent }, name);
      }
    });
  }
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { answer, startTlsServer, type TlsServer } from '../unit/outbound/start-tls-server.ts';
import { type AggregatedWorld, startAggregatedWorld } from './aggregation/aggregated-world.ts';
import { type HttpResponse, request } from './http-client.ts';
import { type Attributes, readAsGo, readAsNode } from './path-models.ts';

const group = 'agg.example.com';

/** Paths of this server and of the one behind it, as their segments. */
const plainPaths: readonly (readonly string[])[] = [
  ['healthz'],
  ['readyz', 'ping'],
  ['version'],
  ['metrics'],
  ['api'],
  ['api', 'v1'],
  ['api', 'v1', 'namespaces'],
  ['api', 'v1', 'namespaces', 'default'],
  ['api', 'v1', 'namespaces', 'default', 'services'],
  ['api', 'v1', 'namespaces', 'default', 'services', 'backend'],
  ['api', 'v1', 'namespaces', 'default', 'services', 'backend', 'status'],
  ['api', 'v1', 'watch'],
  ['api', 'v1', 'proxy', 'namespaces', 'default', 'services', 'backend', 'x'],
  ['apis', 'apps', 'v1', 'namespaces', 'default', 'deployments'],
  ['apis', group],
  ['apis', group, 'v1'],
  ['apis', group, 'v1', 'watch'],
  ['apis', group, 'v1', 'foos'],
  ['apis', group, 'v1', 'namespaces', 'x'],
  ['apis', group, 'v1', 'namespaces', 'x', 'foos'],
  ['apis', group, 'v1', 'namespaces', 'x', 'foos', 'a'],
  ['apis', group, 'v1', 'namespaces', 'x', 'foos', 'a', 'sub'],
  ['apis', group, 'v1', 'namespaces', 'x', 'foos', 'a', 'proxy', 'b', 'c'],
  ['apis', group, 'v1', 'watch', 'namespaces', 'x', 'foos'],
  ['apis', group, 'v1', 'proxy', 'namespaces', 'x', 'foos', 'a', 'b'],
];

const separators = fc.oneof(
  { weight: 12, arbitrary: fc.constant('/') },
  fc.constantFrom('//', '/./', '/../', '%2f', '%2F', '/%2e/', '/%2e%2E/', '/.%2e/', '%252f', ';x/', '\\', '%5c'),
  fc.constantFrom('/..%2f..%2fforbidden%2ffoos%2f', '/..;/', '%00/', '/%252e%252e/'),
);
const ends = fc.constantFrom('', '', '', '/', '//', '/.', '/..', '%2f', ';', ';a=b', '#x', '%23', '%3fx', '?');
const queries = fc.constantFrom(
  '',
  '',
  '?watch=1',
  '?a=1;watch=1',
  '?;watch=1',
  '?watch=0',
  '?watch=%zz',
  '?a=%2F..%2F',
);
const starts = fc.constantFrom('', '', '', '', '/', 'https://elsewhere.example', 'http://u:p@a.example:1');

/** A spelling of one of the paths: separators, escapes, start and end are random. */
const targets = fc
  .tuple(
    fc.constantFrom(...plainPaths),
    fc.array(separators, { minLength: 10, maxLength: 10 }),
    fc.array(fc.nat(12), { minLength: 10, maxLength: 10 }),
    fc.tuple(starts, ends, queries),
  )
  .map(([segments, between, escaped, [start, end, query]]) => {
    const text = segments.map((segment, index) => {
      const separator = index === 0 ? '/' : (between[index] ?? '/');
      return separator + withEscape(segment, escaped[index] ?? 0);
    });
    // A watch of this server would last until its time is over.
    return `${start}${text.join('')}${end}${end.includes('?') || !segments.includes(group) ? '' : query}`;
  });

/** Escapes one character of a segment, if it has that many. */
function withEscape(segment: string, index: number): string {
  const character = segment[index];
  if (character === undefined) return segment;
  return `${segment.slice(0, index)}%${character.charCodeAt(0).toString(16)}${segment.slice(index + 1)}`;
}

describe('a path in any spelling', () => {
  let directory: string;
  let webhook: TlsServer;
  let world: AggregatedWorld;
  let asked: Attributes[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'authorized-paths-'));
    webhook = await startTlsServer();
    webhook.handle = ({ body }, response) => {
      // The body is a review of the server under test.
      const { spec } = JSON.parse(body) as { spec: Record<string, Attributes | undefined> };
      const attributes = spec['resourceAttributes'] ?? spec['nonResourceAttributes'];
      if (attributes) asked.push(attributes);
      answer(response, 200, {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.cl.io/v1',
        status: { allowed: true },
      });
    };
    const { server, ca = '' } = webhook.settings;
    const clientConfigFile = path.join(directory, 'config');
    const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const config = {
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(clientConfigFile, JSON.stringify(config));
    const mode = {
      type: 'Webhook',
      name: 'recorder',
      clientConfigFile,
      version: 'v1',
      authorizedTtlMs: 0,
      unauthorizedTtlMs: 0,
      timeoutMs: 30_000,
      onFailure: 'deny',
    } as const;
    world = await startAggregatedWorld({
      authorizationMode: [mode],
      alwaysAllowPaths: [],
      tokens: [{ token: 'ann', username: 'ann', groups: [] }],
    });
    await world.serve(group);
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await webhook.stop();
    await rm(directory, { recursive: true });
  });

  it('is answered and passed on as what was authorized, or refused', async () => {
    await fc.assert(fc.asyncProperty(targets, readsAsAuthorized), { numRuns: 800 });
  });

  async function readsAsAuthorized(target: string): Promise<void> {
    asked = [];
    const before = world.forwarded().length;
    const response = await send(target);
    const forwarded = world.forwarded().slice(before);
    const [authorized] = asked;
    for (const { url } of forwarded) {
      assert.deepEqual(readAsGo(url), authorized, `${target} was passed on as ${url}, which Go reads so`);
      assert.deepEqual(readAsNode(url), authorized, `${target} was passed on as ${url}, which Node reads so`);
    }
    if (forwarded.length > 0 || [400, 403, 404, 500].includes(response.status)) return;
    assert.ok(authorized, `${target} is answered without authorization`);
    const canonical = pathOf(authorized);
    const same = await send(canonical);
    assert.equal(response.status, same.status, `${target} is answered as ${canonical}`);
    assert.equal(response.headers['content-type'], same.headers['content-type'], target);
    if (!changes.test(canonical)) assert.equal(response.text, same.text, `${target} is answered as ${canonical}`);
  }

  /** Sends a GET as a user about whom the webhook decides. */
  function send(target: string): Promise<HttpResponse> {
    const mark = target.includes('?') ? '&' : '?';
    return request({ ...world.server, token: 'ann' }, 'GET', `${target}${mark}limit=1`);
  }
});

/** Paths whose answers change with each request. */
const changes = /^\/metrics|[?&]watch=1/;

/** The usual spelling of what was authorized. */
function pathOf(attributes: Attributes): string {
  const { path: plain, verb, group: apiGroup = '', version = '', namespace = '' } = attributes;
  if (plain !== undefined) return plain.split('/').map(encodeURIComponent).join('/');
  const { resource = '', name = '', subresource = '' } = attributes;
  const root = apiGroup === '' ? ['api', version] : ['apis', apiGroup, version];
  const within = namespace !== '' && resource !== 'namespaces' ? ['namespaces', namespace] : [];
  const parts = [...root, ...within, resource, name, subresource].filter((part) => part !== '');
  return `/${parts.map(encodeURIComponent).join('/')}${verb === 'watch' ? '?watch=1' : ''}`;
}

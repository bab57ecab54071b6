import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthorizationDecision } from '../../../src/authz/authorizer.ts';
import { type Fixture, type Sent, startFixture } from './fixture.ts';

const configMaps = '/api/v1/namespaces/ns/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** The series of a server by their text. */
async function seriesOf(server: Fixture): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.send({ path: '/metrics' });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** Resolves when a series has a value. A response is counted shortly after its client has read it. */
async function until(server: Fixture, series: string, value: number | undefined): Promise<void> {
  for (const end = performance.now() + 120_000; ; ) {
    const all = await seriesOf(server);
    if (all.get(series) === value) return;
    const similar = [...all].filter(([one]) => one.startsWith(series.slice(0, series.indexOf('{'))));
    assert.ok(
      performance.now() < end,
      `${series} ${value} is not among\n${similar.map((one) => one.join(' ')).join('\n')}`,
    );
    await sleep(10);
  }
}

interface Labels {
  readonly verb: string;
  readonly scope: string;
  readonly resource?: string;
  readonly group?: string;
  readonly version?: string;
  readonly subresource?: string;
}

function labelsOf(labels: Labels) {
  const { verb, group = '', version = 'v1', resource = 'configmaps', subresource = '', scope } = labels;
  return { component: 'apiserver', group, resource, scope, subresource, verb, version };
}

/** The text of a series, with its labels sorted by their names. */
function seriesText(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join()}}`;
}

function total(labels: Labels, code: number, dryRun = ''): string {
  return seriesText('apiserver_request_total', { ...labelsOf(labels), dry_run: dryRun, code: String(code) });
}

const allow = { decision: 'allow', reason: '' } as const;

/** Decisions, and the results that they are counted as. */
const results: readonly (readonly [string, AuthorizationDecision])[] = [
  ['denied', { decision: 'deny', reason: '' }],
  ['no-opinion', { decision: 'no-opinion', reason: '' }],
  ['error', { decision: 'no-opinion', reason: '', evaluationError: 'the webhook is down' }],
];

const apply = 'application/apply-patch+yaml';
const single = { scope: 'resource' } as const;

/** Requests and the one series that each adds to. */
const stories: readonly (readonly [Sent, string])[] = [
  [{ method: 'POST', path: configMaps, body: configMap('a') }, total({ verb: 'POST', ...single }, 201)],
  [
    { method: 'POST', path: `${configMaps}?dryRun=All`, body: configMap('b') },
    total({ verb: 'POST', ...single }, 201, 'All'),
  ],
  [
    { method: 'POST', path: `${configMaps}?dryRun=x`, body: configMap('b') },
    total({ verb: 'POST', ...single }, 422, 'invalid'),
  ],
  [{ path: `${configMaps}/a` }, total({ verb: 'GET', ...single }, 200)],
  [{ method: 'HEAD', path: `${configMaps}/none` }, total({ verb: 'GET', ...single }, 404)],
  [{ path: configMaps }, total({ verb: 'LIST', scope: 'namespace' }, 200)],
  [{ path: `${configMaps}?fieldSelector=metadata.name%3Da` }, total({ verb: 'LIST', scope: 'namespace' }, 200)],
  [{ path: '/api/v1/configmaps' }, total({ verb: 'LIST', scope: 'cluster' }, 200)],
  [{ path: `${configMaps}?watch=1&timeoutSeconds=-1` }, total({ verb: 'WATCH', scope: 'namespace' }, 200)],
  [{ path: '/api/v1/watch/configmaps?timeoutSeconds=-1' }, total({ verb: 'WATCH', scope: 'cluster' }, 200)],
  [
    { method: 'PATCH', path: `${configMaps}/a`, body: {}, type: 'application/merge-patch+json' },
    total({ verb: 'PATCH', ...single }, 200),
  ],
  [
    { method: 'PATCH', path: `${configMaps}/a?fieldManager=m`, body: configMap('a'), type: apply },
    total({ verb: 'APPLY', ...single }, 200),
  ],
  [{ method: 'PUT', path: `${configMaps}/a`, body: configMap('a') }, total({ verb: 'PUT', ...single }, 200)],
  [{ method: 'PUT', path: `${configMaps}/a`, body: 'x' }, total({ verb: 'PUT', ...single }, 400)],
  [{ method: 'DELETE', path: `${configMaps}/a` }, total({ verb: 'DELETE', ...single }, 200)],
  [{ method: 'DELETE', path: configMaps }, total({ verb: 'DELETE', scope: 'namespace' }, 200)],
  [
    { path: '/api/v1/namespaces/ns/pods/p/status' },
    total({ verb: 'GET', ...single, resource: 'pods', subresource: 'status' }, 404),
  ],
  [
    { method: 'POST', path: '/api/v1/namespaces/ns/pods/p/exec' },
    total({ verb: 'POST', ...single, resource: 'pods', subresource: 'exec' }, 404),
  ],
  [{ path: '/api/v1/namespaces/x' }, total({ verb: 'GET', ...single, resource: 'namespaces' }, 404)],
  [
    { path: '/livez' },
    'apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/livez",verb="GET",version=""}',
  ],
];

/** Requests that must not add to `apiserver_request_total`. */
const uncounted: readonly Sent[] = [
  { path: '/api/v1/namespaces/ns/nonsense' },
  { path: '/apis/nonsense/v1/things' },
  { path: '/nonsense' },
  { path: '/version' },
  { path: `${configMaps}/a/nonsense` },
  { method: 'POST', path: `${configMaps}/a` },
  { path: configMaps, headers: { authorization: 'Bearer wrong' } },
];

describe('the metrics of requests', () => {
  for (const [request, series] of stories) {
    const { method = 'GET', path } = request;
    it(`counts ${method} ${path} under its verb, resource and code`, async () => {
      await using server = await startFixture();
      if (method !== 'POST') await server.send({ method: 'POST', path: configMaps, body: configMap('a') });
      const before = (await seriesOf(server)).get(series) ?? 0;
      await server.send(request);
      await until(server, series, before + 1);
      const duration = series.replace('_total{', '_duration_seconds_count{').replace(/code="\d+",/, '');
      assert.ok([...(await seriesOf(server)).keys()].includes(duration), duration);
    });
  }

  it('makes no series for requests that no resource serves, or that are refused before', async () => {
    await using server = await startFixture();
    for (const request of uncounted) await server.send(request);
    // Responses are counted in their order: with the last one all are.
    const [last, counted] = stories.at(-1) ?? assert.fail();
    await server.send(last);
    await until(server, counted, 1);
    const names = [...(await seriesOf(server)).keys()].filter((name) => !name.includes('subresource="/livez"'));
    assert.deepEqual(
      names.filter((name) => /^apiserver_request_(?!filter_)/.test(name)),
      [],
    );
  });

  it('tells the sizes of responses to reads', async () => {
    await using server = await startFixture();
    const { bytes } = await server.send({ path: configMaps });
    const labels = labelsOf({ verb: 'LIST', scope: 'namespace' });
    await until(server, seriesText('apiserver_response_sizes_sum', labels), bytes.length);
    await until(server, seriesText('apiserver_response_sizes_bucket', labels).replace('}', ',le="1000"}'), 1);
    await server.send({ method: 'DELETE', path: configMaps });
    const all = await seriesOf(server);
    assert.ok(![...all.keys()].some((name) => /^apiserver_response_sizes.*verb="DELETE"/.test(name)));
  });

  it('tells the open watches, their events and the sizes of those', async () => {
    await using server = await startFixture();
    await server.configMap('a');
    const labels = labelsOf({ verb: 'WATCH', scope: 'namespace' });
    const events = 'apiserver_watch_events_total{group="",kind="ConfigMap",version="v1"}';
    let received = '';
    const watch = http.get({ host: '127.0.0.1', port: server.port, path: `${configMaps}?watch=1`, agent: false });
    watch.on('error', () => undefined);
    watch.on('response', (response) => response.on('error', () => {}).on('data', (chunk) => (received += chunk)));
    await until(server, events, 1);
    await until(server, seriesText('apiserver_longrunning_requests', labels), 1);
    await until(server, seriesText('apiserver_longrunning_gauge', labels), 1);
    await server.configMap('b');
    await until(server, events, 2);
    const sizes = 'apiserver_watch_events_sizes_sum{group="",kind="ConfigMap",version="v1"}';
    await until(server, sizes, Buffer.byteLength(received));
    watch.destroy();
    await until(server, seriesText('apiserver_longrunning_requests', labels), 0);
    await until(server, total({ verb: 'WATCH', scope: 'namespace' }, 200), 1);
  });

  it('counts requests beyond the limit as dropped and terminated', async () => {
    await using server = await startFixture({ options: { maxWatchesInFlight: 1 } });
    const watch = http.get({ host: '127.0.0.1', port: server.port, path: `${configMaps}?watch=1`, agent: false });
    watch.on('error', () => undefined);
    await new Promise((resolve) => watch.on('response', resolve));
    assert.equal((await server.send({ path: `${configMaps}?watch=1` })).status, 429);
    assert.equal((await server.send({ path: '/api/v1/nonsense?watch=1' })).status, 429);
    const labels = { verb: 'WATCH', scope: 'namespace' };
    await until(server, total(labels, 429), 1);
    await until(server, seriesText('apiserver_request_terminations_total', { ...labelsOf(labels), code: '429' }), 1);
    await until(server, 'apiserver_dropped_requests_total{request_kind="readOnly"}', 2);
    watch.destroy();
  });

  it('tells requests that took too long and were answered with 504', async () => {
    await using server = await startFixture({ options: { requestTimeoutMs: 100 } });
    const body = http.request({ host: '127.0.0.1', port: server.port, method: 'POST', path: configMaps, agent: false });
    body.on('error', () => undefined).setHeader('Content-Type', 'application/json');
    body.setHeader('Content-Length', 100);
    body.flushHeaders();
    const labels = { verb: 'POST', ...single };
    await until(server, seriesText('apiserver_request_terminations_total', { ...labelsOf(labels), code: '504' }), 1);
    await until(server, total(labels, 504), 1);
    body.destroy();
  });

  it('tells responses that were broken off because their time was over', async () => {
    await using server = await startFixture();
    const data = { text: 'x'.repeat(900_000) };
    for (let number = 0; number < 16; number++) await server.configMap(`large-${number}`, { data });
    /** A request whose response has begun: on a slow machine there is more time for it. */
    const begin = async (seconds = 2): Promise<http.ClientRequest> => {
      const path = `${configMaps}?timeout=${seconds}s`;
      const request = http.get({ host: '127.0.0.1', port: server.port, path, agent: false });
      request.on('error', () => undefined);
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.on('error', () => undefined).pause();
      if (response.statusCode === 200) return request;
      request.destroy();
      return begin(seconds * 2);
    };
    const unread = await begin();
    const { component, ...labels } = labelsOf({ verb: 'LIST', scope: 'namespace' });
    assert.equal(component, 'apiserver');
    await until(server, seriesText('apiserver_request_aborts_total', labels), 1);
    unread.destroy();
  });

  it('counts a request whose client has gone under the code 0', async () => {
    await using server = await startFixture();
    const request = http.request({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: configMaps,
      agent: false,
    });
    request.on('error', () => undefined).setHeader('Content-Type', 'application/json');
    request.setHeader('Content-Length', 100);
    request.flushHeaders();
    await new Promise((resolve) => server.server.once('request', () => setImmediate(resolve)));
    request.destroy();
    await until(server, total({ verb: 'POST', ...single }, 0), 1);
  });

  it('tells deprecated versions that are requested, with the release of their removal', async () => {
    await using server = await startFixture();
    const gauge =
      'apiserver_requested_deprecated_apis{group="extensions",removed_release="1.22",resource="ingresses",subresource="",version="v1beta1"}';
    assert.equal((await seriesOf(server)).get(gauge), undefined);
    await server.send({ path: '/apis/extensions/v1beta1/ingresses' });
    await server.send({ path: '/apis/networking.k8s.io/v1/ingresses' });
    await until(server, gauge, 1);
    const all = [...(await seriesOf(server)).keys()];
    assert.equal(all.filter((name) => name.startsWith('apiserver_requested_deprecated_apis')).length, 1);
  });

  it('counts the attempts to authenticate, and users under few names', async () => {
    await using server = await startFixture();
    await server.send({ path: '/version', headers: { authorization: 'Bearer good' } });
    await server.send({ path: '/version', headers: { authorization: 'Bearer wrong' } });
    await until(server, 'authentication_attempts{result="error"}', 1);
    const all = await seriesOf(server);
    assert.ok((all.get('authentication_attempts{result="success"}') ?? 0) >= 1);
    assert.equal(all.get('authentication_duration_seconds_count{result="error"}'), 1);
    assert.ok((all.get('authenticated_user_requests{username="other"}') ?? 0) >= 1);
  });

  for (const [result, decision] of results) {
    it(`counts attempts to authorize that end with ${result}`, async () => {
      const authorizer = { name: 'one', authorize: ({ path }: { path: string }) => (path === '/x' ? decision : allow) };
      await using server = await startFixture({ authorizers: [authorizer] });
      await server.send({ path: '/x' });
      await until(server, `authorization_attempts_total{result="${result}"}`, 1);
      const all = await seriesOf(server);
      assert.equal(all.get(`authorization_duration_seconds_count{result="${result}"}`), 1);
    });
  }

  it('tells the most requests of the last second', async () => {
    await using server = await startFixture();
    await Promise.all(Array.from({ length: 5 }, () => server.send({ path: configMaps })));
    const all = await seriesOf(server);
    assert.ok((all.get('apiserver_current_inflight_requests{request_kind="readOnly"}') ?? 0) >= 1);
    assert.equal(all.get('apiserver_current_inflight_requests{request_kind="mutating"}'), 0);
  });
});

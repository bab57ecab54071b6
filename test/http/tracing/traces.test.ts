import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';
import { samplesInAll } from '../../../src/tracing/exporter-url.ts';
import { connectionTo } from '../client/connection-to.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { type AggregatedWorld, startAggregatedWorld } from '../aggregation/aggregated-world.ts';
import { startWebhookWorld, type WebhookWorld } from '../admission/webhook-world.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './otlp-collector.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;
const unsampled = `00-${traceId}-${parentId}-00`;

describe('traces of requests', () => {
  let folder: string;
  let collector: OtlpCollector;
  let world: AggregatedWorld;
  let webhooks: WebhookWorld;
  let server: TestServer;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tracing-'));
    collector = await startOtlpCollector();
    const tracingConfigFile = path.join(folder, 'tracing.yaml');
    await writeFile(
      tracingConfigFile,
      `apiVersion: apiserver.config.cl.io/v1\nkind: TracingConfiguration\nendpoint: ${collector.endpoint}\n`,
    );
    world = await startAggregatedWorld({
      emulatedRelease: '1.36',
      tracingConfigFile,
      anonymousAuth: true,
      tokens: [{ token: 'plain', username: 'alice', groups: [] }],
    });
    ({ server } = world);
    webhooks = await startWebhookWorld({ server });
    await webhooks.configure('validating', 'seen', { name: 'seen' });
    await world.serve('example.com');
  });
  after(async () => {
    await webhooks?.hooks.stop();
    await world?.[Symbol.asyncDispose]();
    collector?.close();
    await rm(folder, { recursive: true });
  });

  /** The spans of the request with an audit ID, once its own has arrived. */
  const tracedBy = async (
    auditId: string,
  ): Promise<{ readonly root: CollectedSpan; readonly all: CollectedSpan[] }> => {
    const own = () => collector.spans.find(({ kind, attributes }) => kind === 2 && attributes['audit-id'] === auditId);
    await until(`the span of ${auditId}`, () => own() !== undefined);
    const root = own();
    assert.ok(root);
    return { root, all: collector.spans.filter((span) => span.traceId === root.traceId) };
  };
  const send = (auditId: string, method: string, at: string, body?: object, headers: Record<string, string> = {}) =>
    request(server, method, at, body, { 'audit-id': auditId, ...headers });
  const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.find((span) => span.name === name);
    assert.ok(found, `${name} is not among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };

  it('continue the trace of an administrator, with a span for each part of a write', async () => {
    const created = await send(
      'write',
      'POST',
      `${maps}?fieldManager=query-canary`,
      { metadata: { name: 'a' } },
      { traceparent },
    );
    assert.equal(created.status, 201, created.text);
    const { root, all } = await tracedBy('write');
    assert.equal(root.traceId, traceId);
    assert.equal(root.parentSpanId, parentId);
    assert.equal(root.name, 'POST /api/v1/namespaces/{:namespace}/configmaps');
    assert.equal(root.attributes['http.response.status_code'], 201);
    assert.equal(root.attributes['url.path'], maps);
    assert.equal(root.resource['service.name'], 'apiserver');
    for (const name of ['authentication', 'authorization', 'SerializeObject']) {
      assert.equal(named(all, name).parentSpanId, root.spanId, name);
    }
    const verb = named(all, 'Create');
    assert.equal(verb.parentSpanId, root.spanId);
    assert.equal(verb.attributes['verb'], 'CREATE');
    assert.ok(root.events.includes('Txn call succeeded'), root.events.join());
    const stored = all.find(
      ({ name, attributes }) => name === 'Create etcd3' && attributes['key'] === '/configmaps/default/a',
    );
    assert.equal(stored?.parentSpanId, verb.spanId);
    assert.ok(all.some(({ name }) => name.startsWith('admission validate.')));
    assert.ok(!JSON.stringify(all).includes('query-canary'));
  });

  it('have names of bounded length', async () => {
    await send('long', 'GET', `/apis/${'g'.repeat(8_000)}/v1/things`, undefined, { traceparent });
    assert.equal((await tracedBy('long')).root.name.length, 1_000);
  });

  it('are continued by webhooks, which get the header of the call', async () => {
    await send('hooked', 'POST', maps, { metadata: { name: 'b' } }, { traceparent });
    const { all } = await tracedBy('hooked');
    const call = named(all, 'Call validating webhook');
    assert.equal(call.attributes['webhook'], 'seen.example.com');
    assert.equal(call.attributes['operation'], 'CREATE');
    const post = all.find(({ name, parentSpanId }) => name === 'HTTP POST' && parentSpanId === call.spanId);
    assert.ok(post);
    assert.equal(post.kind, 3);
    const headers = webhooks.hooks.seen.at(-1)?.headers;
    const sent = headers?.['traceparent'];
    assert.ok(typeof sent === 'string' && sent.startsWith(`00-${traceId}-`) && sent.endsWith('-01'), String(sent));
  });

  it('are continued by aggregated servers', async () => {
    await send('passed', 'GET', '/apis/example.com/v1/things', undefined, { traceparent });
    const { all } = await tracedBy('passed');
    const call = all.find(({ name, kind }) => name === 'HTTP GET' && kind === 3);
    assert.equal(world.forwarded().at(-1)?.headers['traceparent'], `00-${traceId}-${call?.spanId}-01`);
  });

  it('are not recorded unless the administrator records, but are passed on', async () => {
    await send('unsampled', 'GET', '/apis/example.com/v1/things', undefined, { traceparent: unsampled });
    assert.match(
      String(world.forwarded().at(-1)?.headers['traceparent']),
      new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`),
    );
    await send('sampled', 'GET', maps, undefined, { traceparent });
    await tracedBy('sampled');
    assert.ok(!collector.spans.some(({ attributes }) => attributes['audit-id'] === 'unsampled'));
  });

  it('begin in a controller and go on in the server', async () => {
    const onLost = (_: number, error: Error) => assert.fail(error);
    const identity = { serviceName: 'controller-manager', instanceId: 'test', onLost };
    const tracing = await openTracing({
      endpoint: collector.endpoint,
      samplingRatePerMillion: samplesInAll,
      ...identity,
    });
    const stop = new AbortController();
    const settings = connectionTo(server);
    const options = { controllers: ['deployment-controller'] };
    const { ended } = startControllers(
      { settings, identifiers: identifiersOf('cluster'), options, tracing },
      stop.signal,
    );
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    await request(server, 'POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'd' }, spec });
    const isCreate = ({ name, kind }: CollectedSpan) =>
      kind === 2 && name.startsWith('POST') && name.endsWith('replicasets');
    await until('the span of the create', () => collector.spans.some(isCreate));
    stop.abort();
    await ended;
    await tracing.close();
    const create = collector.spans.find(isCreate);
    const sent = collector.spans.find(({ spanId }) => spanId === create?.parentSpanId);
    assert.equal(sent?.name, 'HTTP POST');
    const step = collector.spans.find(({ spanId }) => spanId === sent?.parentSpanId);
    assert.equal(step?.name, 'Reconcile deployment');
    assert.equal(step?.attributes['name'], 'd');
    assert.equal(step?.resource['service.name'], 'controller-manager');
  });

  it('of untrusted users and unknown callers are neither continued nor recorded on their request', async () => {
    for (const authorization of ['Bearer plain', 'Bearer wrong']) {
      await send('theirs', 'GET', '/apis/example.com/v1/things', undefined, { traceparent, authorization });
    }
    await send('own', 'GET', maps, undefined, { traceparent });
    await tracedBy('own');
    assert.ok(!collector.spans.some(({ attributes }) => attributes['audit-id'] === 'theirs'));
  });
});

describe('traces by sampling', () => {
  let folder: string;
  let collector: OtlpCollector;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tracing-'));
    collector = await startOtlpCollector();
  });
  after(async () => {
    collector.close();
    await rm(folder, { recursive: true });
  });

  it('link to the trace of a user who is not trusted, and are sent when the server stops', async () => {
    const tracingConfigFile = path.join(folder, 'all.json');
    const file = { apiVersion: 'apiserver.config.cl.io/v1beta1', kind: 'TracingConfiguration' };
    const settings = { endpoint: collector.endpoint, samplingRatePerMillion: 1_000_000 };
    await writeFile(tracingConfigFile, JSON.stringify({ ...file, ...settings }));
    const world = await startWebhookWorld({
      emulatedRelease: '1.32',
      featureGates: ['APIServerTracing=true'],
      tracingConfigFile,
    });
    const { status } = await request(world.server, 'GET', maps, undefined, { 'audit-id': 'linked', traceparent });
    assert.equal(status, 200);
    await world[Symbol.asyncDispose]();
    const root = collector.spans.find(({ kind, attributes }) => kind === 2 && attributes['audit-id'] === 'linked');
    assert.ok(root);
    assert.notEqual(root.traceId, traceId);
    assert.deepEqual(root.links, [`${traceId}-${parentId}`]);
    assert.equal(root.parentSpanId, '');
  });

  it('do not keep a server from stopping whose collector does not answer', async () => {
    const silent = await startOtlpCollector({ isSilent: true });
    const tracingConfigFile = path.join(folder, 'silent.json');
    const file = { apiVersion: 'apiserver.config.cl.io/v1', kind: 'TracingConfiguration' };
    const settings = { endpoint: silent.endpoint, samplingRatePerMillion: 1_000_000 };
    await writeFile(tracingConfigFile, JSON.stringify({ ...file, ...settings }));
    const world = await startWebhookWorld({ emulatedRelease: '1.36', tracingConfigFile });
    await request(world.server, 'GET', maps);
    await until('spans to be sent', () => silent.spans.length > 0);
    await world[Symbol.asyncDispose]();
    assert.equal(silent.answered, 0);
    silent.close();
  });
});

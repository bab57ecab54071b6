import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';

const slow = { qps: 1, burst: 2 };

const start = (...limits: readonly JsonObject[]): Promise<TestServer> =>
  startServer({
    store: 'memory',
    // Names are tokens too.
    tokens: ['ann', 'bob'].map((name) => ({ token: name, username: name, groups: ['system:masters'] })),
    admissionPlugins: { enabled: ['EventRateLimit', 'NamespaceAutoProvision'], disabled: [] },
    admissionConfigurations: {
      EventRateLimit: {
        apiVersion: 'eventratelimit.admission.cl.io/v1alpha1',
        kind: 'Configuration',
        limits: [...limits],
      },
    },
  });

const times = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));

interface EventOptions {
  readonly namespace?: string;
  readonly token?: string;
  readonly pod?: string;
  readonly host?: string;
  readonly query?: string;
}

function record(server: TestServer, options: EventOptions = {}): Promise<HttpResponse> {
  const { namespace = 'default', token = server.token, pod = 'p', host = 'h', query = '' } = options;
  const event = {
    metadata: { generateName: 'e', namespace },
    involvedObject: { kind: 'Pod', namespace, name: pod },
    source: { component: 'c', host },
  };
  return request({ ...server, token }, 'POST', `/api/v1/namespaces/${namespace}/events${query}`, event);
}

const refusal = (text: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `Too many requests: ${text}`,
  reason: 'TooManyRequests',
  code: 429,
});

/** The requests that share a limit's tokens with one for the Pod `p`, and those that do not. */
const cases: Readonly<Record<string, { key: string; shared: EventOptions; other?: EventOptions }>> = {
  Server: { key: '', shared: { namespace: 'other', token: 'ann', pod: 'q' } },
  Namespace: { key: 'default', shared: { token: 'ann', pod: 'q' }, other: { namespace: 'other' } },
  User: { key: 'ann', shared: { token: 'ann', namespace: 'other', pod: 'q' }, other: { token: 'bob' } },
  SourceAndObject: { key: 'chPoddefaultp', shared: { token: 'bob' }, other: { token: 'ann', host: 'g' } },
};

describe('the rate of Events', () => {
  for (const [type, { key, shared, other }] of Object.entries(cases)) {
    it(`is limited by ${type}`, async () => {
      await using server = await start({ type, ...slow });
      const began = performance.now();
      const sent = await Promise.all(times(20, (i) => record(server, i % 2 === 0 ? { token: 'ann' } : shared)));
      const refilled = (performance.now() - began) / 1_000;
      const refused = sent.filter(({ status }) => status === 429);
      // On a slow machine some tokens come back meanwhile.
      assert.ok(sent.length - refused.length <= slow.burst + slow.qps * refilled, `${refused.length} are refused`);
      assert.deepEqual(refused[0]?.body, refusal(`limit reached on type ${type} for key ${key}`));
      if (other) assert.equal((await record(server, other)).status, 201);
    });
  }

  it('counts updates and both groups of Events, but no dry runs and no other kinds', async () => {
    await using server = await start({ type: 'Server', ...slow });
    for (let i = 0; i < 4; i++) assert.equal((await record(server, { query: '?dryRun=All' })).status, 201);
    const { body } = await record(server);
    const { name } = (body as { metadata: { name: string } }).metadata;
    const type = { 'content-type': 'application/merge-patch+json' };
    const patch = (path: string) =>
      request(server, 'PATCH', `${path}/${name}`, { metadata: { labels: { a: 'b' } } }, type);
    assert.equal((await patch('/apis/events.cl.io/v1/namespaces/default/events')).status, 200);
    // Many at once, because a token comes back each second.
    const patched = await Promise.all(times(20, () => patch('/api/v1/namespaces/default/events')));
    assert.ok(patched.some(({ status }) => status === 429));
    const map = { metadata: { name: 'm' } };
    assert.equal((await request(server, 'POST', '/api/v1/namespaces/default/configmaps', map)).status, 201);
  });

  it('names all limits that are reached', async () => {
    await using server = await start({ type: 'Server', ...slow }, { type: 'User', qps: 1, burst: 1 });
    const sent = await Promise.all(times(20, (i) => record(server, { token: i % 2 === 0 ? 'ann' : 'bob' })));
    const text = '[limit reached on type Server for key , limit reached on type User for key ann]';
    const said = sent.map(({ body }) => JSON.stringify(body));
    assert.ok(said.includes(JSON.stringify(refusal(text))), said.at(-1));
  });

  it('forgets the keys that were not used for longest', async () => {
    await using server = await start({ type: 'Namespace', qps: 1, burst: 1, cacheSize: 1 });
    const sent = await Promise.all(times(20, () => record(server)));
    assert.ok(sent.some(({ status }) => status === 429));
    assert.equal((await record(server, { namespace: 'other' })).status, 201);
    assert.equal((await record(server)).status, 201);
  });

  it('has a configuration, whose mistakes are named', async () => {
    for (const [limits, message] of [
      [[], 'limits: Required value: a list of limits'],
      [
        [{ ...slow, type: 'Pod' }],
        'limits\\[0\\].type: Unsupported value: "Pod": supported values: "Server", "Namespace"',
      ],
      [
        [{ type: 'Server', qps: 0, burst: -1 }],
        'limits\\[0\\].burst: Invalid value: -1: must be positive; limits\\[0\\].qps',
      ],
      [[{ type: 'User', ...slow, cacheSize: -1 }], 'limits\\[0\\].cacheSize: Invalid value: -1: must not be negative'],
      [[{ type: 'User', ...slow, size: 1 }], 'limits\\[0\\].size: Forbidden: unknown field'],
    ] as const) {
      await assert.rejects(start(...limits), new RegExp(message));
    }
  });
});

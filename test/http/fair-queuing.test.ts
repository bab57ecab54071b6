import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { agentOf, request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { until } from './until.ts';

const group = '/apis/flowcontrol.cl.io/v1beta2';
const configMaps = '/api/v1/namespaces/default/configmaps';
/** A read that waits until the cache gives up waiting for a revision, and has its seat so long. */
const slowRead = `${configMaps}?resourceVersion=99999999`;

/** A server on which all users but administrators share two seats. */
async function startSmallServer(): Promise<TestServer> {
  const tokens = ['noisy', 'quiet'].map((username) => ({ token: `${username}-token`, username, groups: [] }));
  return await startServer({ tokens, maxRequestsInFlight: 12, maxMutatingRequestsInFlight: 12 });
}

describe('Fair queuing', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startSmallServer();
  });
  afterEach(() => server.stop());

  const as = (user: string) => ({ ...server, token: `${user}-token` });
  /** The value of a series of the flow schema and the level of ordinary users. */
  async function metric(name: string, more = ''): Promise<number> {
    const labels = `flow_schema="global-default",priority_level="global-default"${more}`;
    return (await readMetrics(server)).get(`apiserver_flowcontrol_${name}{${labels}}`) ?? 0;
  }
  const waiting = (count: number) => async (): Promise<boolean> => (await metric('current_inqueue_requests')) === count;
  /** Sends a request that a signal ends; its body is not read. */
  const begin = (user: string, path: string, signal: AbortSignal) =>
    agentOf(server).request({
      origin: server.url,
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${user}-token` },
      signal,
    });

  /** Sets the queues of the level of ordinary users. */
  async function setQueues(queues: number, handSize: number, queueLengthLimit: number): Promise<void> {
    const path = `${group}/prioritylevelconfigurations/global-default`;
    const { body } = await request(server, 'GET', path);
    const level = body as { spec: { limited: { limitResponse: object } }; metadata: { annotations: object } };
    level.metadata.annotations = { 'apf.cluster.io/autoupdate-spec': 'false' };
    level.spec.limited.limitResponse = { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
    assert.equal((await request(server, 'PUT', path, level)).status, 200);
  }

  it('serves a user before the long queue of another', async () => {
    await setQueues(64, 1, 50);
    const end = new AbortController();
    setMaxListeners(20, end.signal);
    let served = 0;
    const noisy = Array.from({ length: 12 }, async () => {
      await begin('noisy', slowRead, end.signal);
      served++;
    });
    await until('requests wait', waiting(10));
    const { status, headers } = await request(as('quiet'), 'GET', configMaps);
    assert.equal(status, 200);
    assert.ok(served <= 2, `${served} requests of the other user came first`);
    assert.match(String(headers['x-cluster-pf-flowschema-uid']), /^[0-9a-f-]{36}$/);
    const admin = await request(server, 'GET', configMaps);
    assert.equal(admin.status, 200);
    assert.notEqual(admin.headers['x-cluster-pf-flowschema-uid'], headers['x-cluster-pf-flowschema-uid']);
    const dumps = '/debug/api_priority_and_fairness';
    const { text } = await request(server, 'GET', `${dumps}/dump_requests?includeRequestDetails=1`);
    const row = [
      'global-default',
      'global-default',
      '\\d+',
      '\\d+',
      'noisy',
      '\\S+',
      'noisy',
      'list',
      configMaps,
      'default',
    ];
    assert.match(text, new RegExp(`^${row.join(', +')}, `, 'm'));
    const queues = await request(server, 'GET', `${dumps}/dump_queues`);
    assert.match(queues.text, /^global-default, +\d+, +[1-9]/m);
    end.abort();
    await Promise.allSettled(noisy);
  });

  it('does not let a client that has gone keep its place', async () => {
    const ends = Array.from({ length: 8 }, () => new AbortController());
    const asked = ends.map(({ signal }) => begin('noisy', slowRead, signal));
    await until('requests wait', waiting(6));
    for (const end of ends) end.abort();
    await Promise.allSettled(asked);
    await until('nobody waits', waiting(0));
  });

  it('answers 429 when the queues of a flow are full', async () => {
    await setQueues(1, 1, 2);
    const end = new AbortController();
    setMaxListeners(20, end.signal);
    const held = Array.from({ length: 4 }, () => begin('noisy', slowRead, end.signal));
    await until('the queue is full', waiting(2));
    const { status, headers, body: refused } = await request(as('quiet'), 'GET', configMaps);
    assert.equal(status, 429);
    assert.equal(headers['retry-after'], '1');
    assert.equal((refused as { reason?: string }).reason, 'TooManyRequests');
    assert.equal(await metric('rejected_requests_total', ',reason="queue-full"'), 1);
    end.abort();
    await Promise.allSettled(held);
  });

  it('frees the seat of a watch when it has begun', async () => {
    const ends = new AbortController();
    const watches = Array.from({ length: 6 }, () => begin('noisy', `${configMaps}?watch=1`, ends.signal));
    for (const watch of watches) assert.equal((await watch).statusCode, 200);
    assert.equal(await metric('current_executing_requests'), 0);
    ends.abort();
  });

  it('shows which schemas refer to a level that does not exist', async () => {
    const schema = {
      metadata: { name: 'lost' },
      spec: { priorityLevelConfiguration: { name: 'nowhere' }, matchingPrecedence: 5000, rules: [] },
    };
    assert.equal((await request(server, 'POST', `${group}/flowschemas`, schema)).status, 201);
    const danglingOf = async (name: string): Promise<unknown> => {
      const { body } = await request(server, 'GET', `${group}/flowschemas/${name}`);
      const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
      return status?.conditions?.find(({ type }) => type === 'Dangling')?.status;
    };
    await until('the status tells', async () => (await danglingOf('lost')) === 'True');
    await until('the status tells', async () => (await danglingOf('catch-all')) === 'False');
  });

  it('applies the mandatory objects even while they are deleted', async () => {
    const deleted = ['flowschemas/global-default', 'flowschemas/catch-all', 'prioritylevelconfigurations/catch-all'];
    for (const path of deleted) assert.equal((await request(server, 'DELETE', `${group}/${path}`)).status, 200);
    const { status, headers } = await request(as('quiet'), 'GET', configMaps);
    assert.equal(status, 200);
    assert.equal(headers['x-cluster-pf-flowschema-uid'], '', 'the schema has no object');
    const labels = 'flow_schema="catch-all",priority_level="catch-all"';
    const dispatched = `apiserver_flowcontrol_dispatched_requests_total{${labels}}`;
    assert.equal((await readMetrics(server)).get(dispatched), 1);
  });

  it('is not there if the flag, the feature gate or the limits say so', async () => {
    const off = [
      { priorityAndFairness: false },
      { featureGates: ['APIPriorityAndFairness=false'] },
      { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 },
    ];
    for (const options of off) {
      const other = await startServer(options);
      const { headers } = await request(other, 'GET', configMaps);
      assert.equal(headers['x-cluster-pf-flowschema-uid'], undefined);
      const { body } = await request(other, 'GET', `${group}/flowschemas`);
      assert.deepEqual((body as { items: unknown[] }).items, []);
      await other.stop();
    }
  });
});

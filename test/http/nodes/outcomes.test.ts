import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/index.ts';
import { nodes, type Pod, pods } from '../../../src/controllers/resources.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const namespace = 'default';
const podsPath = `/api/v1/namespaces/${namespace}/pods`;

/** The columns of the table of a pod that say how it is. */
interface PodColumns {
  readonly ready: string;
  readonly status: string;
  readonly restarts: number;
}

describe('the outcomes of pods and nodes that annotations ask for', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    const controllers = ['node-lifecycle-controller'];
    server = await startServer({ nodes: [{ count: 1 }, { count: 1, name: 'other' }], controllers });
    client = createClient(server.connection);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  async function createPod(name: string, annotations: Record<string, string>, spec: object = {}): Promise<void> {
    const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`stand-in.${key}`, value]));
    const containers = [{ name: 'web', image: 'nginx:1' }];
    const pod = { metadata: { name, namespace, annotations: prefixed }, spec: { containers, ...spec } };
    await client.resource(pods).create(pod as unknown as Pod);
  }

  /** Collects the different rows that `kubectl get pods` would show of a pod, until one is the last. */
  async function rowsOf(name: string, last: RegExp): Promise<readonly string[]> {
    const rows: string[] = [];
    await until(`${name}: ${last}`, async () => {
      const { ready, status, restarts } = await columnsOf(name);
      const row = `${ready} ${status} ${restarts}`;
      if (row !== rows.at(-1)) rows.push(row);
      return last.test(row);
    });
    return rows;
  }

  async function columnsOf(name: string): Promise<PodColumns> {
    const accept = 'application/json;as=Table;g=meta.cl.io;v=v1';
    const { body } = await request(server, 'GET', `${podsPath}/${name}`, undefined, { accept });
    const { rows } = body as { rows: [{ cells: [string, string, string, number] }] };
    const [, ready, status, restarts] = rows[0].cells;
    return { ready, status, restarts };
  }

  const statusOf = async (name: string) => (await client.resource(pods).get(name, { namespace })).status;

  async function eventsOf(name: string): Promise<string> {
    const fields = `fieldSelector=involvedObject.name=${name}`;
    return (await request(server, 'GET', `/api/v1/namespaces/${namespace}/events?${fields}`)).text;
  }

  it('end with their server, also one that is stopped right after its start', async () => {
    const other = await startServer({ nodes: 1 });
    await other.stop();
  });

  it('are a crash loop with growing back-off', async () => {
    const fast = { 'cluster.io/run-seconds': '0.02', 'cluster.io/back-off-seconds': '0.05' };
    await createPod('crashing', { 'cluster.io/outcome': 'CrashLoopBackOff', 'cluster.io/message': 'panic', ...fast });
    const rows = await rowsOf('crashing', /CrashLoopBackOff [3-9]$/);
    const allowed = /^(?:0\/1 (?:Pending|ContainerCreating) 0|1\/1 Running \d|0\/1 (?:Error|CrashLoopBackOff) \d)$/;
    assert.ok(
      rows.every((row) => allowed.test(row)),
      rows.join(),
    );
    const [container] = (await statusOf('crashing'))?.containerStatuses ?? [];
    assert.equal(container?.lastState?.terminated?.exitCode, 1);
    assert.equal(container?.lastState?.terminated?.message, 'panic');
    await until('an Event', async () =>
      /Back-off restarting failed container web in pod crashing_default\(/.test(await eventsOf('crashing')),
    );
    // Asked to run, it is restarted and stays.
    const annotations = { 'stand-in.cluster.io/outcome': null };
    await client.resource(pods).patch('crashing', { metadata: { annotations } }, { type: 'merge', namespace });
    await rowsOf('crashing', /^1\/1 Running \d+$/);
  });

  it('are some restarts before a pod runs', async () => {
    const fast = { 'kubernetes.io/run-seconds': '0.01', 'kubernetes.io/back-off-seconds': '0.01' };
    await createPod('restarted', { 'kubernetes.io/restarts': '3', 'kubernetes.io/exit-code': '3', ...fast });
    await rowsOf('restarted', /^1\/1 Running 3$/);
    const [container] = (await statusOf('restarted'))?.containerStatuses ?? [];
    assert.equal(container?.lastState?.terminated?.exitCode, 3);
  });

  it('are a container that is killed for its memory', async () => {
    await createPod(
      'greedy',
      { 'cluster.io/outcome': 'OOMKilled', 'cluster.io/run-seconds': '0' },
      { restartPolicy: 'Never' },
    );
    await rowsOf('greedy', /^0\/1 OOMKilled 0$/);
    const { phase, containerStatuses: [container] = [] } = (await statusOf('greedy')) ?? {};
    assert.equal(phase, 'Failed');
    assert.equal(container?.state?.terminated?.exitCode, 137);
  });

  it('are images that cannot be pulled', async () => {
    await createPod('imageless', {
      'kubernetes.io/outcome': 'ImagePullBackOff',
      'kubernetes.io/back-off-seconds': '0.2',
    });
    await rowsOf('imageless', /^0\/1 ErrImagePull 0$/);
    await rowsOf('imageless', /^0\/1 ImagePullBackOff 0$/);
    await until('the Events', async () => {
      const events = await eventsOf('imageless');
      return /Failed to pull image \\"nginx:1\\"/.test(events) && /Back-off pulling image \\"nginx:1\\"/.test(events);
    });
    const { phase, conditions = [] } = (await statusOf('imageless')) ?? {};
    assert.equal(phase, 'Pending');
    const ready = conditions.find(({ type }) => type === 'Ready');
    assert.equal(ready?.message, 'containers with unready status: [web]');
  });

  it('are a slow start, and readiness after it', async () => {
    const init = { initContainers: [{ name: 'init', image: 'i' }] };
    const ask = (value: string | null, name: string) => {
      const metadata = { annotations: { [`stand-in.cluster.io/${name}`]: value } };
      return client.resource(pods).patch('slow', { metadata }, { type: 'merge', namespace });
    };
    await createPod('slow', { 'cluster.io/start-seconds': '900', 'cluster.io/ready-seconds': '900' }, init);
    await rowsOf('slow', /^0\/1 Init:0\/1 0$/);
    await ask('0.05', 'start-seconds');
    await rowsOf('slow', /^0\/1 Running 0$/);
    await ask('0.05', 'ready-seconds');
    await rowsOf('slow', /^1\/1 Running 0$/);
  });

  it('are evictions', async () => {
    await createPod('evicted', { 'cluster.io/outcome': 'Evicted', 'cluster.io/run-seconds': '0.1' });
    await rowsOf('evicted', /^0\/1 Evicted 0$/);
    const { reason, message, conditions = [] } = (await statusOf('evicted')) ?? {};
    assert.equal(reason, 'Evicted');
    assert.match(message ?? '', /^The node was low on resource: memory/);
    assert.equal(conditions.find(({ type }) => type === 'DisruptionTarget')?.reason, 'TerminationByNodeagent');
    await until('an Event', async () => /"reason":"Evicted"/.test(await eventsOf('evicted')));
  });

  it('are ends with or without an error, and readiness', async () => {
    await createPod('done', { 'cluster.io/outcome': 'Succeeded' });
    await createPod('broken', {
      'cluster.io/outcome': 'Failed',
      'cluster.io/exit-code': '2',
      'cluster.io/message': 'no',
    });
    await createPod('unready', { 'cluster.io/outcome': 'NotReady' });
    await createPod('misconfigured', { 'cluster.io/outcome': 'CreateContainerConfigError' });
    await rowsOf('done', /^0\/1 Completed 0$/);
    await rowsOf('broken', /^0\/1 Error 0$/);
    await rowsOf('unready', /^0\/1 Running 0$/);
    await rowsOf('misconfigured', /^0\/1 CreateContainerConfigError 0$/);
    const { message, containerStatuses: [container] = [] } = (await statusOf('broken')) ?? {};
    assert.equal(message, 'no');
    assert.equal(container?.state?.terminated?.exitCode, 2);
  });

  for (const [outcome, taint] of [
    ['MemoryPressure', 'memory-pressure'],
    ['DiskPressure', 'disk-pressure'],
    ['PIDPressure', 'pid-pressure'],
    ['NotReady', 'not-ready'],
  ] as const) {
    it(`are conditions of a node, which its taints follow: ${outcome}`, async () => {
      const ask = (value: string | null) => {
        const metadata = { annotations: { 'stand-in.kubernetes.io/outcome': value } };
        return client.resource(nodes).patch('other-1', { metadata }, { type: 'merge' });
      };
      const taints = async (): Promise<string> => {
        const { spec } = await client.resource(nodes).get('other-1');
        return (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).join();
      };
      await ask(outcome);
      await until(taint, async () => (await taints()).includes(`node.cluster.io/${taint}:NoSchedule`));
      const { status } = await client.resource(nodes).get('other-1');
      const found = status?.conditions?.find(({ type }) => type === (outcome === 'NotReady' ? 'Ready' : outcome));
      assert.equal(found?.status, outcome === 'NotReady' ? 'False' : 'True');
      await ask(null);
      await until('no taint', async () => (await taints()) === '');
    });
  }
});

import assert from 'node:assert/strict';
import { type Client, createClient, hasReason } from '../../../src/client/index.ts';
import { nodes, type Pod, pods } from '../../../src/controllers/resources.ts';
import { type Stage, startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const namespace = 'default';
const stages = { group: 'stand-in.cluster.io', version: 'v1', resource: 'stages', namespaced: false };

/** A status as a node agent reports it of containers that run. */
const running = {
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'ContainersReady', status: 'True' },
  ],
  containerStatuses:
    '${object.spec.containers.map(c, {"name": c.name, "image": c.image, "imageID": "", "ready": true, "restartCount": 2, "state": {"running": {"startedAt": now}}})}',
};

const ofGroup: Stage = {
  metadata: { name: 'of-group' },
  spec: { resource: 'pods', selector: { expression: 'stage == ""' }, next: { outcome: 'NotReady' } },
};

describe('stages of stand-in nodes', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    const labels = { group: 'staged' };
    server = await startServer({
      nodes: [
        { count: 1 },
        { count: 1, name: 'staged', labels, taints: [{ key: 'staged', effect: 'NoSchedule' }], stages: [ofGroup] },
      ],
    });
    client = createClient(server.connection);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const identity = { apiVersion: 'stand-in.cluster.io/v1', kind: 'Stage' };
  const createStage = (name: string, spec: object) =>
    client
      .resource(stages)
      .create({ ...identity, metadata: { name }, spec: { resource: 'pods', ...spec } }, { fieldValidation: 'Strict' });

  async function createPod(
    name: string,
    more: { readonly labels?: object; readonly spec?: object; readonly finalizers?: string[] } = {},
  ) {
    const { spec, ...metadata } = more;
    const pod = {
      metadata: { name, namespace, ...metadata },
      spec: { containers: [{ name: 'web', image: 'nginx:1' }], ...spec },
    };
    await client.resource(pods).create(pod as unknown as Pod);
  }

  const get = (name: string) => client.resource(pods).get(name, { namespace });
  const untilPod = async (name: string, what: string, condition: (pod: Pod) => boolean) =>
    until(`${name}: ${what}`, async () => condition(await get(name)));
  const isGone = async (name: string) =>
    (await client.resource(pods).list({ namespace })).items.every(({ metadata }) => metadata.name !== name);

  /** The cells of the row that `kubectl get pods` shows of a pod. */
  async function cellsOf(name: string): Promise<readonly unknown[]> {
    const accept = 'application/json;as=Table;g=meta.cl.io;v=v1';
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const { body } = await request(server, 'GET', path, undefined, { accept });
    return (body as { rows: [{ cells: unknown[] }] }).rows[0].cells.slice(0, 4);
  }

  async function eventsOf(name: string): Promise<string> {
    const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${name}`;
    const { body } = await request(server, 'GET', path);
    const { items } = body as { items: { type: string; reason: string; message: string }[] };
    return items.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join('\n');
  }

  it('write a status of expressions after a delay, and the rest as a node agent does', async () => {
    await createStage('start', {
      selector: {
        matchLabels: { app: 'plain' },
        expression: '!has(object.status.phase) || object.status.phase == "Pending"',
      },
      delay: { durationFrom: 'object.metadata.labels.wait + "ms"' },
      next: { status: running, event: { reason: 'Started', message: 'on ${node.metadata.name}' } },
    });
    await createPod('plain', { labels: { app: 'plain', wait: '30' } });
    await untilPod('plain', 'Running', ({ status }) => status?.phase === 'Running');
    assert.deepEqual(await cellsOf('plain'), ['plain', '1/1', 'Running', 2]);
    const { status, metadata } = await get('plain');
    assert.match(status?.podIP ?? '', /^10\.64\./);
    assert.equal(status?.hostIP, '10.96.0.1');
    assert.ok(status?.conditions?.every(({ lastTransitionTime }) => lastTransitionTime));
    // The condition of the scheduler is still there.
    assert.ok(status?.conditions?.some(({ type }) => type === 'PodScheduled'));
    assert.equal(metadata.annotations?.['stand-in.cluster.io/stage'], 'start');
    assert.equal(metadata.annotations?.['stand-in.cluster.io/outcome'], 'Staged');
    await until('the Event', async () => /^Normal Started: on node-1$/m.test(await eventsOf('plain')));
  });

  it('follow each other, lead to known outcomes, and leave other pods alone', async () => {
    await createStage('first', {
      selector: { matchLabels: { app: 'chain' }, expression: 'stage == ""' },
      next: { outcome: 'NotReady', annotations: { count: '${1 + 1}' } },
    });
    await createStage('second', {
      selector: { matchLabels: { app: 'chain' }, expression: 'stage == "first" && object.status.phase == "Running"' },
      delay: { duration: '20ms', jitterDuration: '20ms' },
      next: { outcome: 'Failed' },
    });
    await createPod('chain', { labels: { app: 'chain' } });
    await createPod('bystander');
    await untilPod('chain', 'Failed', ({ status }) => status?.phase === 'Failed');
    const { annotations } = (await get('chain')).metadata;
    assert.equal(annotations?.['count'], '2');
    assert.equal(annotations?.['stand-in.cluster.io/stage'], 'second');
    await untilPod('bystander', 'Running', ({ status }) => status?.phase === 'Running');
    assert.equal((await get('bystander')).metadata.annotations?.['stand-in.cluster.io/stage'], undefined);
  });

  it('hold back pods that have not begun, and are chosen once the outcome before is reported', async () => {
    const selector = (expression: string) => ({ matchLabels: { app: 'held' }, expression });
    const event = { reason: 'WarmedUp', message: 'warm' };
    await createStage('warm', {
      selector: selector('object.status.phase == "Pending"'),
      delay: { durationFrom: 'object.metadata.labels.wait' },
      next: { outcome: 'Running', event },
    });
    await createStage('loser', { selector: selector('stage == "warm"'), weight: 0, next: { delete: true } });
    await createStage('winner', { selector: selector('stage == "warm"'), next: { annotations: { won: 'yes' } } });
    await createPod('held', { labels: { app: 'held', wait: '900s' } });
    await createPod('free');
    await untilPod('free', 'Running', ({ status }) => status?.phase === 'Running');
    assert.deepEqual(await cellsOf('held'), ['held', '0/1', 'Pending', 0]);
    // A changed stage is chosen again, with its own delay.
    const delay = { duration: '10ms', durationFrom: null };
    await client.resource(stages).patch('warm', { spec: { delay } }, { type: 'merge' });
    await untilPod('held', 'won', ({ metadata }) => metadata.annotations?.['won'] === 'yes');
    assert.deepEqual(await cellsOf('held'), ['held', '1/1', 'Running', 0]);
    await until('one Event', async () => (await eventsOf('held')).match(/WarmedUp/g)?.length === 1);
  });

  it('delete pods, and remove those that are being deleted with their finalizers', async () => {
    await createStage('sweep', {
      selector: { expression: 'object.status.phase == "Failed"', matchLabels: { app: 'swept' } },
      next: { delete: true },
    });
    await createStage('release', {
      selector: { terminating: true, matchLabels: { app: 'swept' } },
      next: {
        finalizers: { remove: ['example.com/wait'] },
        delete: true,
        event: { type: 'Warning', reason: 'Released', message: 'bye' },
      },
    });
    await createPod('swept', { labels: { app: 'swept' }, finalizers: ['example.com/wait'] });
    await untilPod('swept', 'Running', ({ status }) => status?.phase === 'Running');
    const metadata = { annotations: { 'stand-in.kubernetes.io/outcome': 'Failed' } };
    await client.resource(pods).patch('swept', { metadata }, { type: 'merge', namespace });
    await until('its end', () => isGone('swept'));
    await until('the Event', async () => /Warning Released: bye/.test(await eventsOf('swept')));
  });

  it('that are changed help a pod which finalizers of others keep', async () => {
    const spec = { resource: 'pods', selector: { terminating: true, matchLabels: { app: 'kept' } } };
    await createStage('kept', { ...spec, next: { delete: true } });
    await createPod('kept', { labels: { app: 'kept' }, finalizers: ['example.com/other'] });
    await untilPod('kept', 'Running', ({ status }) => status?.phase === 'Running');
    await client.resource(pods).delete('kept', { namespace });
    await untilPod('kept', 'no time left', ({ metadata }) => metadata.deletionGracePeriodSeconds === 0);
    // The stage has been applied once more by then, without an effect.
    const next = { delete: null, finalizers: { remove: ['example.com/other'] } };
    await client.resource(stages).patch('kept', { spec: { next } }, { type: 'merge' });
    await until('its end', () => isGone('kept'));
  });

  it('are also those of a group of nodes, for its nodes alone', async () => {
    const spec = { nodeSelector: { group: 'staged' }, tolerations: [{ key: 'staged', operator: 'Exists' }] };
    await createPod('grouped', { spec });
    await untilPod('grouped', 'Running', ({ status }) => status?.phase === 'Running');
    const { metadata, status } = await get('grouped');
    assert.equal(metadata.annotations?.['stand-in.cluster.io/stage'], 'of-group');
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'False');
  });

  it('change nodes', async () => {
    const read = () => client.resource(nodes).get('staged-1');
    const conditionOf = async (type: string) => (await read()).status?.conditions?.find((each) => each.type === type);
    const ask = (value: string | null) =>
      client.resource(nodes).patch('staged-1', { metadata: { labels: { trouble: value } } }, { type: 'merge' });
    const selector = (value: string) => ({ matchLabels: { trouble: value }, expression: `stage != "${value}"` });
    await createStage('disk', { resource: 'nodes', selector: selector('disk'), next: { outcome: 'DiskPressure' } });
    const conditions = [{ type: 'Ready', status: 'False', reason: 'Smoke', message: '${object.metadata.name} smokes' }];
    await createStage('smoke', { resource: 'nodes', selector: selector('smoke'), next: { status: { conditions } } });
    await ask('disk');
    await until('pressure', async () => (await conditionOf('DiskPressure'))?.status === 'True');
    await ask('smoke');
    await until('smoke', async () => (await conditionOf('Ready'))?.reason === 'Smoke');
    assert.equal((await conditionOf('Ready'))?.message, 'staged-1 smokes');
    // A condition that the stage does not name stays, and the agent does not overwrite the status.
    assert.equal((await conditionOf('DiskPressure'))?.status, 'True');
  });

  it('are refused by the server if they are malformed', async () => {
    const refused = async (spec: object, message: RegExp) =>
      assert.rejects(
        createStage('bad', spec),
        (error: Error) => hasReason(error, 'Invalid', 'BadRequest') && message.test(error.message),
      );
    const good = { selector: {}, next: { delete: true } };
    await refused({ ...good, delay: { duration: '-1s' } }, /spec\.delay\.duration/);
    await refused({ ...good, delays: {} }, /unknown field "spec\.delays"/);
    await refused({ ...good, weight: -1 }, /spec\.weight/);
    await refused({ ...good, resource: 'jobs' }, /Unsupported value: "jobs"/);
    await refused({ selector: {} }, /spec\.next/);
    await refused({ next: { delete: true } }, /spec\.selector/);
  });

  it('have no effect but an Event if they do not compile or fail, and other pods run', async () => {
    const selector = { matchLabels: { app: 'bad' } };
    await createStage('broken', { selector: { ...selector, expression: 'object.(' }, next: { delete: true } });
    await createStage('nonsense', {
      selector: { ...selector, expression: 'stage == "" && object.status.phase == "Running"' },
      next: { status: { nominatedNodeName: 'Not a name' } },
    });
    await createPod('unlucky', { labels: { app: 'bad' } });
    await untilPod('unlucky', 'Running', ({ status }) => status?.phase === 'Running');
    await until('the Event', async () =>
      (await eventsOf('broken')).startsWith(
        'Warning InvalidStage: the stage has no effect: spec.selector.expression: compilation',
      ),
    );
    await until('the Event', async () =>
      (await eventsOf('nonsense')).startsWith('Warning StageFailed: Pod unlucky was not changed: '),
    );
  });

  it('end in a circle without a delay, and with expressions that cost too much', async () => {
    // The annotation grows, so that each next state differs from the present one.
    const visits = '${object.metadata.?annotations.visits.orValue("") + "x"}';
    const after = (condition: string) => ({
      selector: { matchLabels: { app: 'circle' }, expression: condition },
      next: { annotations: { visits } },
    });
    await createStage('odd', after('stage == "even"'));
    await createStage('even', after('stage != "even"'));
    const list = JSON.stringify(Array.from({ length: 100 }, (_, index) => index));
    const expression = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
    await createStage('costly', { selector: { expression, matchLabels: { app: 'circle' } }, next: { delete: true } });
    await createPod('circle', { labels: { app: 'circle' } });
    await until('a warning', async () =>
      /Warning StageLoop: pods such as circle went through 20/.test((await eventsOf('odd')) + (await eventsOf('even'))),
    );
    const visited = async () => (await get('circle')).metadata.annotations?.['visits']?.length ?? 0;
    assert.ok((await visited()) <= 22, String(await visited()));
    await until('a warning', async () => /Warning StageSwitchedOff: .*costs too much/.test(await eventsOf('costly')));
    await createPod('later');
    await untilPod('later', 'Running', ({ status }) => status?.phase === 'Running');
  });
});

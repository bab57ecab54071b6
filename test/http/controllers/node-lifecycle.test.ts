import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient } from '../../../src/client/index.ts';
import type { Lease } from '../../../src/client/leader-election.ts';
import { type Node, nodes, type Pod, pods } from '../../../src/controllers/resources.ts';
import { isReady } from '../../../src/kinds/core/pod.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';

const namespace = 'default';

/** More than the controller waits between two looks, so that its time follows the clock while nothing stops it. */
const longestStepMs = 75;
const looksPerRenewal = 4;
const leases = { group: 'coordination.cl.io', version: 'v1', resource: 'leases' } as const;

describe('nodes without heartbeats', () => {
  let server: TestServer;
  let client: Client;
  const errors: string[] = [];
  const stop = new AbortController();
  let ended = Promise.resolve();
  let alive = new Set<string>();
  let nowMs = Date.now();
  let looks = 0;

  /**
   * The time at a look of the controller at its nodes. It goes on by the looks, not by the clock: all that makes a node
   * late or alive runs in this process, which a busy machine may stop for longer than the grace period.
   */
  function timeOfLook(): number {
    nowMs = Math.min(Date.now(), nowMs + longestStepMs);
    if (++looks % looksPerRenewal === 0) for (const name of alive) void renew(name);
    return nowMs;
  }

  before(async () => {
    server = await startServer({ authorizationMode: ['RBAC'] });
    client = createClient(server.connection);
    ended = startControllers(
      {
        settings: server.connection,
        identifiers: identifiersOf('cluster'),
        options: {
          controllers: ['node-lifecycle-controller', 'taint-eviction-controller'],
          'use-service-account-credentials': true,
          'node-monitor-period': 50,
          'node-monitor-grace-period': 2000,
          'node-startup-grace-period': 2000,
          'node-eviction-rate': 100,
        },
        now: timeOfLook,
        onError: (error) => errors.push(String(error)),
      },
      stop.signal,
    ).ended;
  });
  after(async () => {
    stop.abort();
    await ended;
    await client.close();
    await server.stop();
  });

  async function renew(name: string): Promise<void> {
    const spec = { holderIdentity: name, renewTime: new Date().toISOString().replace('Z', '000Z') };
    const options = { type: 'merge', namespace: 'cl-node-lease' } as const;
    const patched = await client
      .resource<Lease>(leases)
      .patch(name, { spec }, options)
      .catch(() => undefined);
    if (patched) return;
    const lease = { metadata: { name }, spec };
    await client
      .resource<Lease>(leases)
      .create(lease, { namespace: 'cl-node-lease' })
      .catch(() => undefined);
  }

  async function addNode(name: string): Promise<void> {
    await client.resource(nodes).create({ metadata: { name } } as Node);
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }];
    await client.resource(nodes).patch(name, { status: { conditions } }, { type: 'merge', subresource: 'status' });
    alive.add(name);
  }

  async function addPod(name: string, nodeName: string, seconds?: number): Promise<void> {
    const tolerations = ['unreachable', 'not-ready'].map((taint) => ({
      key: `node.cluster.io/${taint}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: seconds,
    }));
    const spec = { nodeName, containers: [{ name: 'c', image: 'i' }], tolerations, terminationGracePeriodSeconds: 0 };
    await client.resource(pods).create({ metadata: { name, namespace }, spec } as unknown as Pod);
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await client.resource(pods).patch(name, { status }, { type: 'merge', namespace, subresource: 'status' });
  }

  const conditionsOf = async (name: string) =>
    ((await client.resource(nodes).get(name)).status?.conditions ?? [])
      .map(({ type, status, reason = '' }) => `${type}=${status} ${reason}`.trim())
      .toSorted((a, b) => a.localeCompare(b));
  const taintsOf = async (name: string) =>
    ((await client.resource(nodes).get(name)).spec?.taints ?? [])
      .map(({ key, effect }) => `${key.split('/')[1]}:${effect}`)
      .toSorted((a, b) => a.localeCompare(b))
      .join();
  const tainted = (name: string, expected: string) =>
    until(`${name} to have ${expected || 'no taints'}`, async () => (await taintsOf(name)) === expected);
  const podNames = async () =>
    (await client.resource(pods).list({ namespace })).items.map(({ metadata }) => metadata.name).join();

  const eventsOf = async (name: string): Promise<string[]> => {
    const events = client.resource(builtInResources('cluster').events);
    const { items } = await events.list({ namespace: 'default', fieldSelector: `involvedObject.name=${name}` });
    return items.map(({ reason, message }) => `${reason}: ${message}`).toSorted((a, b) => a.localeCompare(b));
  };

  it('become unknown, and lose the pods that do not tolerate it; back again they are ready for pods', async () => {
    await addNode('a');
    await addNode('b');
    await tainted('a', '');
    await addPod('leaves', 'a', 0);
    await addPod('stays', 'a');
    await addPod('elsewhere', 'b', 0);
    alive = new Set(['b']);
    await tainted('a', 'unreachable:NoExecute,unreachable:NoSchedule');
    assert.deepEqual(await conditionsOf('a'), [
      'DiskPressure=Unknown NodeStatusNeverUpdated',
      'MemoryPressure=Unknown NodeStatusNeverUpdated',
      'PIDPressure=Unknown NodeStatusNeverUpdated',
      'Ready=Unknown NodeStatusUnknown',
    ]);
    await until('the eviction', async () => (await podNames()) === 'elsewhere,stays');
    assert.equal(isReady(await client.resource(pods).get('stays', { namespace })), false);
    assert.equal(await taintsOf('b'), '');
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }];
    alive.add('a');
    await client.resource(nodes).patch('a', { status: { conditions } }, { type: 'merge', subresource: 'status' });
    await tainted('a', '');
  });

  it('get no taint until they are late with their first report', async () => {
    const { metadata } = await client.resource(nodes).create({ metadata: { name: 'new' } } as Node);
    await tainted('new', '');
    await tainted('new', 'unreachable:NoExecute,unreachable:NoSchedule');
    const found = await client.resource(nodes).get('new');
    const times = (found.spec?.taints ?? []).map(({ timeAdded = '' }) => Date.parse(timeAdded));
    // Both came with the end of the grace period, of which seconds of times may hide one.
    assert.ok(
      times.every((time) => time >= Date.parse(metadata.creationTimestamp) + 1000),
      String(times),
    );
    await client.resource(nodes).delete('new');
    await until('the Events', async () => (await eventsOf('new')).length === 2);
    assert.deepEqual(await eventsOf('new'), [
      'RegisteredNode: Node new event: Registered Node new in Controller',
      'RemovingNode: Node new event: Removing Node new from Controller',
    ]);
  });

  it('keep their pods if no node is ready, because then this side may be cut off', async () => {
    alive = new Set();
    for (const name of ['a', 'b']) await tainted(name, 'unreachable:NoSchedule');
    assert.equal(await podNames(), 'elsewhere,stays');
  });

  it('get the taint of their agent if it reports that it is not ready', async () => {
    alive = new Set(['a', 'b']);
    const ready = async (name: string, status: string) => {
      const conditions = [{ type: 'Ready', status, lastHeartbeatTime: new Date().toISOString() }];
      await client.resource(nodes).patch(name, { status: { conditions } }, { type: 'merge', subresource: 'status' });
    };
    await ready('a', 'True');
    await ready('b', 'False');
    await tainted('b', 'not-ready:NoExecute,not-ready:NoSchedule');
    await tainted('a', '');
    await until('the eviction', async () => (await podNames()) === 'stays');
    assert.deepEqual(errors, []);
  });
});

import assert from 'node:assert/strict';
import { type Node, nodes, pods } from '../../../src/controllers/resources.ts';
import type { Taint, Toleration } from '../../../src/gen/types/core-v1.ts';
import { until } from '../until.ts';
import { create, podsOf, reached, reportedBy, template, type World } from './world.ts';

const key = 'example.com/evict';

/** `[sig-node] NoExecuteTaintManager [Serial]`, and the taints of conditions. */
export function taintStories(world: World): void {
  const pod = (name: string, tolerations: readonly Toleration[]) => ({
    ...template('t', { spec: { tolerations, nodeSelector: { 'kubernetes.io/hostname': 'node-2' } } }),
    metadata: { name, labels: { app: 't' } },
  });
  const running = (namespace: string, name: string) =>
    reached(world, pods, namespace, name, ({ status }) => status?.phase === 'Running');
  const namesOf = async (namespace: string) =>
    (await podsOf(world, namespace, 't')).map(({ metadata }) => metadata.name).join();

  /** Changes the taints of node-2 beside those that controllers write. */
  async function taint(change: (taints: readonly Taint[]) => readonly Taint[]): Promise<void> {
    const resource = world.client.resource(nodes);
    for (;;) {
      const { metadata, spec } = await resource.get('node-2');
      const patch = {
        metadata: { resourceVersion: metadata.resourceVersion },
        spec: { taints: change(spec?.taints ?? []) },
      };
      const written = await resource.patch('node-2', patch, { type: 'merge' }).catch(() => undefined);
      if (written) return;
    }
  }
  const add = () => taint((taints) => [...taints, { key, value: 'evictTaintVal', effect: 'NoExecute' }]);
  const remove = () => taint((taints) => taints.filter((each) => each.key !== key));

  it('evicts pods from tainted nodes, unless they tolerate the taint', async () => {
    const namespace = await world.newNamespace();
    await create(world, pods, namespace, pod('goes', []));
    await create(world, pods, namespace, pod('stays', [{ key, operator: 'Exists' }]));
    await create(
      world,
      pods,
      namespace,
      pod('waits', [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }]),
    );
    for (const name of ['goes', 'stays', 'waits']) await running(namespace, name);
    await add();
    try {
      await until('two evictions', async () => (await namesOf(namespace)) === 'stays');
      const message = `Marking for deletion Pod ${namespace}/waits`;
      await reportedBy(world, namespace, 'taint-controller', 'TaintManagerEviction', message);
    } finally {
      await remove();
    }
  });

  it('removing taint cancels eviction', async () => {
    const namespace = await world.newNamespace();
    await create(
      world,
      pods,
      namespace,
      pod('spared', [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }]),
    );
    await create(
      world,
      pods,
      namespace,
      pod('first', [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }]),
    );
    for (const name of ['spared', 'first']) await running(namespace, name);
    await add();
    try {
      await until('the first eviction', async () => (await namesOf(namespace)) === 'spared');
    } finally {
      await remove();
    }
    const message = `Cancelling deletion of Pod ${namespace}/spared`;
    await reportedBy(world, namespace, 'taint-controller', 'TaintManagerEviction', message);
    assert.equal(await namesOf(namespace), 'spared');
  });

  it('taints nodes by their conditions', async () => {
    const resource = world.client.resource(nodes);
    await create(world, nodes, '', { metadata: { name: 'pressed' }, spec: { unschedulable: true } });
    const conditions = [
      { type: 'Ready', status: 'True' },
      { type: 'MemoryPressure', status: 'True' },
      { type: 'DiskPressure', status: 'False' },
    ];
    await resource.patch('pressed', { status: { conditions } }, { type: 'merge', subresource: 'status' });
    const taintsOf = ({ spec }: Node) =>
      (spec?.taints ?? [])
        .map((each) => `${each.key}:${each.effect}`)
        .toSorted((a, b) => a.localeCompare(b))
        .join(' ');
    const tainted = (expected: string) => reached(world, nodes, '', 'pressed', (node) => taintsOf(node) === expected);
    await tainted('node.kubernetes.io/memory-pressure:NoSchedule node.kubernetes.io/unschedulable:NoSchedule');
    await resource.patch('pressed', { spec: { unschedulable: false } }, { type: 'merge' });
    await tainted('node.kubernetes.io/memory-pressure:NoSchedule');
    await resource.patch(
      'pressed',
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { type: 'merge', subresource: 'status' },
    );
    await tainted('');
    await resource.delete('pressed');
  });
}

import assert from 'node:assert/strict';
import type { Node, Pod } from '../../../src/controllers/resources.ts';
import { chooseNode } from '../../../src/nodes/scheduler/choose-node.ts';
import { ClusterState } from '../../../src/nodes/scheduler/cluster-state.ts';
import { isSameOffer } from '../../../src/nodes/scheduler/relevant-changes.ts';

const stored = (name: string) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' });
const nodeOf = (name: string, spec: object, status: object = {}): Node => ({
  metadata: stored(name),
  spec,
  status: { allocatable: { pods: '9' }, ...status },
});
const podOf = (spec: object): Pod =>
  ({ metadata: { ...stored('p'), namespace: 'default' }, spec: { containers: [{ name: 'c' }], ...spec } }) as Pod;

const choose = (pod: Pod, nodes: readonly Node[]): string => {
  const state = new ClusterState(() => ({}));
  for (const node of nodes) state.setNode(node);
  const choice = chooseNode(pod, state, {
    unschedulableTaint: 'unschedulable',
    volumeCheck: () => () => undefined,
    deviceCheck: () => ({ problem: () => undefined, provides: () => false }),
    start: 0,
  });
  return 'node' in choice ? choice.node : choice.message;
};

describe('the node of a pod', () => {
  const fast = (name: string, value: string): Node =>
    nodeOf(name, { taints: [{ key: 'speed', value, effect: 'NoSchedule' }] });

  it('only has taints whose number the pod tolerates', () => {
    const nodes = [fast('slow', '5'), fast('quick', '50')];
    const withOperator = (operator: string): Pod => podOf({ tolerations: [{ key: 'speed', operator, value: '10' }] });
    assert.deepEqual(
      ['Gt', 'Lt'].map((operator) => choose(withOperator(operator), nodes)),
      ['quick', 'slow'],
    );
    assert.match(choose(withOperator('Equal'), nodes), /^0\/2 nodes are available: .*untolerated taint/);
  });

  it('declares the features that the pod needs, once nodes declare any', () => {
    const pod = podOf({ hostNetwork: true, hostUsers: false });
    const plain = nodeOf('plain', {});
    const able = nodeOf('able', {}, { declaredFeatures: ['UserNamespacesHostNetworkSupport'] });
    const other = nodeOf('other', {}, { declaredFeatures: ['Another'] });
    assert.equal(choose(pod, [plain]), 'plain');
    assert.equal(choose(pod, [plain, able]), 'able');
    assert.equal(
      choose(pod, [plain, other]),
      "0/2 nodes are available: 2 node(s) didn't match Pod's required features.",
    );
    assert.deepEqual([isSameOffer(plain, nodeOf('plain', {})), isSameOffer(able, plain)], [true, false]);
  });
});

import assert from 'node:assert/strict';
import type { Node, Pod } from '../../../src/controllers/resources.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { podStatus } from '../../../src/nodes/agent/pod-status.ts';
import { pendingResize } from '../../../src/nodes/agent/resize-pod.ts';

function sized(uid: string, wanted: string, given: string): Pod {
  const amounts = (cpu: string) => ({ requests: { cpu } });
  const container = { name: 'c', image: 'app:1' };
  return {
    metadata: { name: uid, uid, resourceVersion: '1', creationTimestamp: '', generation: 2 },
    spec: { containers: [{ ...container, resources: amounts(wanted) }] },
    status: {
      containerStatuses: [{ ...container, imageID: '', ready: true, restartCount: 0, resources: amounts(given) }],
    },
  };
}

describe('the resize of a pod', () => {
  const node = { metadata: { name: 'n' }, status: { allocatable: { cpu: '4' } } } as unknown as Node;
  const reason = (wanted: string, other: string) => {
    const pod = sized('a', wanted, '1');
    return pendingResize(pod, node, [pod, sized('b', other, other)])?.reason;
  };

  it('waits for room that others have, and never happens beyond the room of the node', () => {
    assert.deepEqual([reason('3', '1'), reason('3', '2'), reason('5', '1')], [undefined, 'Deferred', 'Infeasible']);
  });

  it('ends when the pod has its requested amounts', () => assert.equal(reason('1', '9'), undefined));

  it('is allocated with a condition first, then applied, also for sidecars and whole pods', () => {
    const amounts = (cpu: string) => ({ requests: { cpu } });
    const [named, ended] = [
      { name: 's', image: 'i' },
      { imageID: '', ready: true, restartCount: 0 },
    ];
    const before = sized('a', '1', '1');
    let pod = {
      ...before,
      spec: {
        ...before.spec,
        resources: amounts('4'),
        initContainers: [{ ...named, restartPolicy: 'Always', resources: amounts('2') }],
      },
      status: {
        ...before.status,
        resources: amounts('3'),
        initContainerStatuses: [{ ...named, ...ended, resources: amounts('1') }],
      },
    } as unknown as Pod;
    const shown = (): readonly unknown[] => {
      const context = { podIp: '', hostIp: '', nowMs: 0, identifiers: identifiersOf('cluster') };
      const target = { phase: 'Running', containers: { kind: 'running' }, ready: true } as const;
      const status = podStatus(pod, target, { ...context, isNew: false, release: 36 }) as Pod['status'] | undefined;
      if (!status) return ['nothing'];
      pod = { ...pod, status: { ...pod.status, ...status } };
      const { conditions = [], resources, allocatedResources, initContainerStatuses: [sidecar] = [] } = status;
      return [
        conditions.find(({ type }) => type === 'PodResizeInProgress')?.observedGeneration,
        resources?.requests?.['cpu'],
        allocatedResources?.['cpu'],
        sidecar?.resources?.requests?.['cpu'],
        sidecar?.allocatedResources?.['cpu'],
      ];
    };
    assert.deepEqual(
      [shown(), shown(), shown()],
      [[2, '3', '4', '1', '2'], [undefined, '4', '4', '2', '2'], ['nothing']],
    );
  });
});

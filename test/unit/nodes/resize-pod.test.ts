import assert from 'node:assert/strict';
import type { Node, Pod } from '../../../src/controllers/resources.ts';
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

  it('is over when the pod has what it asks for', () => assert.equal(reason('1', '9'), undefined));
});

import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { isWriteTo } from '../../../src/admission/is-write-to.ts';
import type { Pod } from '../../../src/controllers/resources.ts';
import type { Node } from '../../../src/gen/types/core-v1.ts';
import type { Pod as StoredPod } from '../../../src/gen/stored/core-v1.ts';
import { matchesNode } from '../../../src/kinds/core/node-selector.ts';
import { hasEnded, isReady } from '../../../src/kinds/core/pod.ts';
import { tolerates } from '../../../src/kinds/core/tolerates.ts';

describe('types of kinds', () => {
  it('let predicates ask of objects of clients and of the server', () => {
    const sent = { spec: { containers: [] }, status: { phase: 'Failed' } };
    assert.equal(hasEnded(sent), true);
    const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }];
    const stored: Pick<StoredPod, 'status'> = { status: { conditions } };
    assert.equal(isReady(stored as StoredPod), true);
  });

  it('do not compile for a field that the kind does not have', () => {
    // @ts-expect-error: the field is `status.phase`.
    assert.equal(hasEnded({ status: { phaze: 'Failed' } }), false);
    const taint = { key: 'a', effect: 'NoSchedule' };
    // @ts-expect-error: the field is `operator`.
    assert.equal(tolerates([{ key: 'a', opertor: 'Exists', value: 'b' }], taint), false);
    const node: Node = { metadata: { labels: { disk: 'ssd' } } };
    // @ts-expect-error: the field is `nodeSelector`.
    assert.equal(matchesNode({ nodeSelectors: { disk: 'hdd' } }, node), true);
    const plugin: AdmissionPlugin = {
      name: 'Example',
      operations: ['CREATE'],
      mutate(attributes) {
        // @ts-expect-error: plugins write `spec.tolerations`.
        if (isWriteTo(attributes, '', 'pods', 'CREATE')) attributes.object.spec.toleration = [];
        // @ts-expect-error: the resource is `pods`.
        isWriteTo(attributes, '', 'pod', 'CREATE');
      },
    };
    assert.ok(plugin);
    // @ts-expect-error: a controller reads `spec.nodeName`.
    assert.equal(((pod: Pod) => pod.spec.node)({ spec: {} } as Pod), undefined);
  });
});

import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkRefusals, type Update } from './check-refusals.ts';

const spec = (change: JsonObject): JsonObject => ({ spec: change });
const memory = (amount: string, more: JsonObject = {}): JsonObject =>
  spec({ containers: [{ name: 'c', image: 'i', resources: { limits: { memory: amount } }, ...more }] });
const requested = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const claims = (storage: string, more: JsonObject = {}): JsonObject =>
  spec({
    volumeClaimTemplates: [
      { metadata: { name: 'v' }, spec: { accessModes: ['ReadWriteOnce'], ...requested(storage), ...more } },
    ],
  });
const jobOf = (pod: JsonObject): JsonObject => spec({ template: pod });

const fixedPod =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`, ' +
  '`spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)';
const fixedClaim = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';
const fixedSet =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' " +
  "and 'minReadySeconds' are forbidden";

/** Fields that may not change: an amount in another unit is the same, an empty optional message is not none. */
const updates: readonly Update[] = [
  ['pods', 'the unit of an amount', memory('1Gi'), memory('1073741824'), []],
  ['pods', 'an amount', memory('1Gi'), memory('1G'), [fixedPod]],
  ['pods', 'an affinity to nothing', {}, spec({ affinity: {} }), [fixedPod]],
  ['pods', 'a selector of any node', {}, spec({ nodeSelector: {} }), []],
  ['pods', 'no affinity, which had been to nothing', spec({ affinity: {} }), spec({ affinity: null }), [fixedPod]],
  ['pods', 'a life cycle of nothing', memory('1'), memory('1', { lifecycle: {} }), [fixedPod]],
  ['persistentvolumeclaims', 'the unit of its amount', spec(requested('1Gi')), spec(requested('1073741824')), []],
  ['persistentvolumeclaims', 'a selector of any volume', {}, spec({ selector: {} }), [fixedClaim]],
  ['statefulsets', 'the unit of an amount', claims('1Gi'), claims('1073741824'), []],
  ['statefulsets', 'a selector of any volume', claims('1Gi'), claims('1Gi', { selector: {} }), [fixedSet]],
  [
    'csinodes',
    'topology keys of nothing',
    spec({ drivers: [{ name: 'd', nodeID: 'n' }] }),
    spec({ drivers: [{ name: 'd', nodeID: 'n', topologyKeys: [] }] }),
    [],
  ],
  ['jobs', 'the unit of an amount', jobOf(memory('1Gi')), jobOf(memory('1073741824')), []],
];

checkRefusals('values that mean the same', [], updates);

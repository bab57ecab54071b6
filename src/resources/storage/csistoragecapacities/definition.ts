import type { CSIStorageCapacity } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { isMoreThan } from '../../rules/fields/field-checks.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { SameValue } from '../../../scheme/same-message.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';

/** The strategy of CSI storage capacities. */
const strategy: Strategy<CSIStorageCapacity> = {
  validate: validateCapacity,
  validateUpdate: (capacity, old) =>
    (['nodeTopology', 'storageClassName'] as const).flatMap((name) =>
      checkImmutable(name, capacity[name], old[name], isSame),
    ),
  allowUnconditionalUpdate: false,
};

/** Compares selectors; an empty selector differs from none. */
const isSame: SameValue = (one, other) => (one === undefined) === (other === undefined) && sameValue(one, other);

function validateCapacity({ storageClassName, nodeTopology, capacity = '' }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateDnsSubdomain(storageClassName).map((message) => invalid('storageClassName', storageClassName, message)),
    ...(nodeTopology ? checkLabelSelector('nodeTopology', nodeTopology) : []),
    ...(isMoreThan('0', capacity) ? [invalid('capacity', capacity, 'must be greater than or equal to 0')] : []),
  ];
}

/** The resource `csistoragecapacities` of the group `storage`. */
export const csiStorageCapacities = builtIn<CSIStorageCapacity>({
  group: 'storage',
  resource: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  namespaced: true,
  versions: {
    v1: { introduced: '1.24', gate: 'CSIStorageCapacity' },
    v1beta1: {
      introduced: '1.21',
      gate: 'CSIStorageCapacity',
      deprecated: { since: '1.24', removed: '1.27', replacement: 'v1' },
    },
  },
  strategy,
});

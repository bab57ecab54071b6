import type { CSINode, CSINodeDriver } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, integerColumn, nameColumn } from '../../columns/column.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkNotNegative, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';

/** Maximum length of a driver's node ID, in characters. */
const nodeIdLimit = 192;

/** All errors of a CSI node. Drivers are unique, and so are the topology keys of each. */
function validateCsiNode({ spec }: CSINode): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.drivers', spec.drivers ?? [], ({ name, nodeID, allocatable, topologyKeys }, path) => {
    const errors = allErrors(
      checkCsiDriverName(`${path}.name`, name),
      nodeIdErrors(`${path}.nodeID`, nodeID),
      checkNotNegative(`${path}.allocatable.count`, allocatable?.count),
      seen.has(name) ? [duplicate(`${path}.name`, name)] : noErrors,
      topologyErrors(path, topologyKeys ?? []),
    );
    seen.add(name);
    return errors;
  });
}

function nodeIdErrors(field: string, id: string): readonly FieldError[] {
  if (id === '') return [required(field)];
  return id.length > nodeIdLimit ? [invalid(field, id, `must be ${nodeIdLimit} characters or less`)] : [];
}

/** Errors of topology keys are reported at the driver's list, not at the key. */
function topologyErrors(path: string, keys: readonly string[]): readonly FieldError[] {
  const repeats = repeatsOf(keys);
  return errorsOfEach(keys, (key, index) =>
    allErrors(
      key === '' ? [required(path)] : noErrors,
      repeats.has(index) ? [duplicate(path, key)] : noErrors,
      validateQualifiedName(key).map((message) => invalid(path, keys, message)),
    ),
  );
}

const sameDriver = sameMessage('api.storage.v1.CSINodeDriver');

/**
 * The errors of an update. Drivers may be added and removed, but not changed; with a gate their
 * volume count may change.
 */
const validateCsiNodeUpdate: NonNullable<Strategy<CSINode>['validateUpdate']> = ({ spec }, old, { emulated }) => {
  const shown = emulated.isFeatureEnabled('MutableCSINodeAllocatableCount') ? withoutCount : asIs;
  const field = isSince(emulated.release, '1.33') ? 'spec.drivers' : 'CSINodeDriver';
  const before = new Map((old.spec.drivers ?? []).map((driver) => [driver.name, driver]));
  return errorsOfEach(spec.drivers ?? [], (driver) => {
    const known = before.get(driver.name);
    return known ? checkImmutable(field, shown(driver), shown(known), sameDriver) : noErrors;
  });
};

const asIs = (driver: CSINodeDriver): CSINodeDriver => driver;

function withoutCount(driver: CSINodeDriver): CSINodeDriver {
  return { ...driver, allocatable: undefined };
}

/** The strategy of CSI nodes. Each lists the CSI drivers of a node. */
const strategy: Strategy<CSINode> = {
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
};

/** The columns of CSI nodes. */
const columns: readonly Column<CSINode>[] = [
  nameColumn,
  integerColumn('Drivers', 'Number of drivers on the node.', ({ spec }) => spec.drivers?.length ?? 0),
  ageColumn,
];

/** The resource `csinodes` of the group `storage`. */
export const csiNodes = builtIn<CSINode>({
  group: 'storage',
  resource: 'csinodes',
  kind: 'CSINode',
  versions: {
    v1: { introduced: '1.17' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.17', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});

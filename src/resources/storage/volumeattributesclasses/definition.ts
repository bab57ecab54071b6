import type { Column } from '../../../codec/table-definition.ts';
import type { VolumeAttributesClass } from '../../../gen/stored/storage-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkParameters } from '../check-parameters.ts';

/** All errors of a VolumeAttributesClass. */
function validateClass({ driverName, parameters = {} }: VolumeAttributesClass): readonly FieldError[] {
  return [
    ...(driverName === '' ? [required('driverName')] : []),
    ...(driverName === '' ? [] : validateQualifiedName(driverName.toLowerCase())).map((text) =>
      invalid('driverName', driverName, text),
    ),
    ...checkParameters(parameters, false),
  ];
}

/** The immutable fields: volumes have been modified by them. */
const fixed = ['driverName', 'parameters'] as const;

/** The strategy of VolumeAttributesClasses. */
const strategy: Strategy<VolumeAttributesClass> = {
  validate: validateClass,
  validateUpdate: (changed, old) =>
    fixed
      .filter((name) => !sameValue(changed[name], old[name]))
      .map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
  returnsDeletedObject: true,
};

/** The columns of VolumeAttributesClasses. */
const columns: readonly Column<VolumeAttributesClass>[] = [
  nameColumn,
  textColumn('DriverName', 'CSI driver that changes the volumes.', ({ driverName }) => driverName),
  ageColumn,
];

const gate = 'VolumeAttributesClass';

/** The resource `volumeattributesclasses` of the group `storage`. */
export const volumeAttributesClasses = builtIn<VolumeAttributesClass>({
  group: 'storage',
  resource: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  versions: {
    v1: { introduced: '1.34', gate },
    v1beta1: {
      introduced: '1.31',
      optIn: true,
      gate,
      deprecated: { since: '1.34', removed: '1.37', replacement: 'v1' },
    },
    v1alpha1: {
      introduced: '1.29',
      gate,
      deprecated: { since: '1.32', removed: '1.35', replacement: 'v1', replacementSince: '1.34' },
    },
  },
  shortNames: ['vac'],
  columns,
  strategy,
});

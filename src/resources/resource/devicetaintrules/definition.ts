import type { DeviceTaintRule, DeviceTaintSelector } from '../../../gen/stored/resource-v1beta2.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { now } from '../../../meta/time.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, tooMany } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkDriver, checkLabelName, checkPool } from '../../rules/devices/device-names.ts';
import { defaultTaintTimes } from '../../rules/devices/taint-times.ts';
import { checkTaint } from '../../rules/devices/taints.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';

/** Checks the fields of a selector that are set. An empty one is invalid. */
function checkSelector(selector: FieldCursor<DeviceTaintSelector | undefined>): void {
  const [driver, pool, device] = [selector.at('driver'), selector.at('pool'), selector.at('device')];
  if (driver.isPresent()) checkDriver(driver);
  if (pool.isPresent()) checkPool(pool);
  if (device.isPresent()) checkLabelName(device);
}

function validateRule(rule: DeviceTaintRule, old: DeviceTaintRule | undefined): readonly FieldError[] {
  const spec = new FieldCursor(rule).at('spec');
  checkSelector(spec.at('deviceSelector'));
  checkTaint(spec.at('taint'), old?.spec.taint);
  return spec.errors;
}

const mostConditions = 8;

function validateStatus({ status }: DeviceTaintRule): readonly FieldError[] {
  const conditions = status?.conditions ?? [];
  const field = 'status.conditions';
  return [
    ...checkConditions(field, conditions),
    ...(conditions.length > mostConditions ? [tooMany(field, conditions.length, mostConditions)] : []),
  ];
}

/** The strategy of DeviceTaintRules. A change of the effect updates the time of the taint. */
const strategy: Strategy<DeviceTaintRule> = {
  generation: true,
  returnsDeletedObject: true,
  default: ({ spec }) => defaultTaintTimes([spec.taint]),
  prepareForUpdate: ({ spec }, { spec: old }) => {
    const isKept = spec.taint.timeAdded === old.taint.timeAdded;
    if (spec.taint.effect !== old.taint.effect && isKept) spec.taint.timeAdded = now();
  },
  validate: (rule, _, old) => validateRule(rule, old),
  subresources: {
    status: { ...keepMetadata([...userFields, 'deletionTimestamp']), validateUpdate: validateStatus },
  },
};

/** The columns of DeviceTaintRules. */
const columns: readonly Column<DeviceTaintRule>[] = [
  nameColumn,
  textColumn('Key', 'Key of the taint.', ({ spec }) => spec.taint.key),
  textColumn('Value', 'Value of the taint.', ({ spec }) => spec.taint.value ?? ''),
  textColumn('Effect', 'What the taint does to pods that do not tolerate it.', ({ spec }) => spec.taint.effect),
  textColumn('TimeAdded', 'Time since the taint was added.', ({ spec: { taint } }, { nowMs }) =>
    taint.timeAdded ? ageSince(taint.timeAdded, nowMs) : '',
  ),
  ageColumn,
];

/** The resource `devicetaintrules` of the group `resource`. */
export const deviceTaintRules = builtIn<DeviceTaintRule>({
  group: 'resource',
  resource: 'devicetaintrules',
  kind: 'DeviceTaintRule',
  versions: {
    v1beta2: { introduced: '1.36', optIn: true, gate: 'DRADeviceTaintRules', deprecated: { since: '1.39' } },
    v1alpha3: { introduced: '1.33', gate: 'DRADeviceTaints', deprecated: { since: '1.36', removed: '1.39' } },
  },
  subresources: [{ ...statusSubresource, introduced: '1.35' }],
  columns,
  strategy,
});

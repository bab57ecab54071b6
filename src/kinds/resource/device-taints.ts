import type { DeviceTaint, DeviceToleration } from '../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../gen/types/resource-v1beta2.ts';

/** The driver, the pool and the name of a device, which no other device has. */
export interface DeviceIdentity {
  readonly driver: string;
  readonly pool: string;
  readonly name: string;
}

/** The taints that rules give a device. */
export function ruledTaints(device: DeviceIdentity, rules: readonly DeviceTaintRule[]): readonly DeviceTaint[] {
  return rules.filter((rule) => isSelected(device, rule)).flatMap((rule) => rule.spec?.taint ?? []);
}

/** True if a rule is for a device. A rule without a selector is for none. */
function isSelected(device: DeviceIdentity, { spec }: DeviceTaintRule): boolean {
  const selector = spec?.deviceSelector;
  if (!selector) return false;
  const { driver = device.driver, pool = device.pool, device: name = device.name } = selector;
  return driver === device.driver && pool === device.pool && name === device.name;
}

/** True if a toleration is for a taint of a device. */
export function toleratesTaint(
  { key = '', operator = 'Equal', value = '', effect }: DeviceToleration,
  taint: DeviceTaint,
): boolean {
  return (
    (key === '' ? operator === 'Exists' : key === taint.key) &&
    (operator === 'Exists' || value === (taint.value ?? '')) &&
    (!effect || effect === taint.effect)
  );
}

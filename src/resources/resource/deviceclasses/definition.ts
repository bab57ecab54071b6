import type { DeviceClass } from '../../../gen/stored/resource-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn } from '../../columns/column.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkSelectors } from '../../rules/devices/check-device-claim.ts';
import { checkConfiguration } from '../../rules/devices/device-configuration.ts';
import { checkExpressions, expressionsOf } from '../../rules/devices/expressions.ts';
import { deviceVersions } from '../device-versions.ts';

const mostConfigurations = 32;

/** All errors of a DeviceClass, except the errors of new expressions. */
function validateClass(
  deviceClass: DeviceClass,
  { identifiers }: StrategyContext,
  old: DeviceClass | undefined,
): readonly FieldError[] {
  const spec = new FieldCursor(deviceClass).at('spec');
  checkSelectors(spec.at('selectors'));
  const isStored = old !== undefined && sameValue(spec.value.config, old.spec.config);
  checkList(spec.at('config'), { limit: mostConfigurations }, (one) => checkConfiguration(one, isStored));
  const { value } = spec.at('extendedResourceName');
  if (value !== undefined && !isExtendedResource(value, identifiers)) {
    spec.at('extendedResourceName').reportInvalid('must be a valid extended resource name');
  }
  return spec.errors;
}

/**
 * True for a valid extended resource name: a domain that is not reserved, and a valid quota name.
 */
function isExtendedResource(name: string, { labelDomain }: Identifiers): boolean {
  const isNative = !name.includes('/') || name.includes(`${labelDomain}/`);
  return !isNative && !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0;
}

/** The strategy of DeviceClasses. */
const strategy: Strategy<DeviceClass> = {
  generation: true,
  returnsDeletedObject: true,
  checksNameBase: false,
  validate: validateClass,
  validateRules: (object, { old }) => {
    const { spec } = object as unknown as DeviceClass;
    const before = old as DeviceClass | undefined;
    const isStored = before !== undefined && sameValue(spec.selectors, before.spec.selectors);
    return isStored ? [] : checkExpressions(expressionsOf(spec.selectors, 'spec.selectors'));
  },
};

/** The resource `deviceclasses` of the group `resource`. */
export const deviceClasses = builtIn<DeviceClass>({
  group: 'resource',
  resource: 'deviceclasses',
  kind: 'DeviceClass',
  versions: deviceVersions(),
  columns: [nameColumn, ageColumn],
  earlierRules: { before: '1.35', hooks: { checksNameBase: true } },
  strategy,
});

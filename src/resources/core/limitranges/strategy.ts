import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { duplicate, type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import {
  isSet,
  makeObjectAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
  stringEntriesAt,
} from '../../../meta/read-field.ts';
import { checkEach } from '../../rules/check.ts';
import { isMoreThan } from '../../rules/quantity.ts';

/** Limit ranges. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'limitranges',
  strategy: { default: defaultLimitRange, validate: validateLimitRange, allowCreateOnUpdate: true },
};

/** A container is given the most it may have, and requests what it is given, or the least there is. Mutates. */
function defaultLimitRange(limitRange: JsonObject): void {
  for (const limit of objectsAt(objectAt(limitRange, 'spec'), 'limits')) {
    if (stringAt(limit, 'type') !== 'Container') continue;
    fill(limit, 'default', 'max');
    fill(limit, 'defaultRequest', 'default');
    fill(limit, 'defaultRequest', 'min');
  }
}

function fill(limit: JsonObject, target: string, source: string): void {
  for (const [name, amount] of stringEntriesAt(limit, source)) setDefault(makeObjectAt(limit, target), name, amount);
}

function validateLimitRange(limitRange: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.limits', objectsAt(objectAt(limitRange, 'spec'), 'limits'), (limit, path) => {
    const type = stringAt(limit, 'type');
    const errors = [
      ...(type.includes('/') || limitTypes.has(type)
        ? []
        : [invalid(`${path}.type`, type, 'must be a standard limit type or fully qualified')]),
      ...(type === 'Pod' ? podErrors(limit, path) : []),
      ...ratioErrors(limit, `${path}.maxLimitRequestRatio`),
      ...(seen.has(type) ? [duplicate(`${path}.type`, type)] : []),
      ...orders.flatMap(([low, high]) => orderErrors(limit, path, low, high)),
    ];
    seen.add(type);
    return errors;
  });
}

const limitTypes: ReadonlySet<string> = new Set(['Container', 'Pod', 'PersistentVolumeClaim']);

/** Defaults are given to containers. */
function podErrors(limit: JsonObject, path: string): FieldError[] {
  return ['default', 'defaultRequest']
    .filter((name) => Object.keys(objectAt(limit, name)).length > 0)
    .map((name) => forbidden(`${path}.${name}`, "may not be specified when `type` is 'Pod'"));
}

/** A limit is at least what is requested. */
function ratioErrors(limit: JsonObject, field: string): FieldError[] {
  return stringEntriesAt(limit, 'maxLimitRequestRatio')
    .filter(([, ratio]) => isMoreThan('1', ratio))
    .map(([name, ratio]) => invalid(`${field}[${name}]`, ratio, `ratio ${ratio} is less than 1`));
}

/** Of each pair the first may not be more than the second. */
const orders = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['defaultRequest', 'max'],
  ['defaultRequest', 'default'],
  ['default', 'max'],
] as const;

function orderErrors(limit: JsonObject, path: string, low: string, high: string): FieldError[] {
  const highs = objectAt(limit, high);
  return stringEntriesAt(limit, low)
    .filter(([name, amount]) => isSet(highs, name) && isMoreThan(amount, stringAt(highs, name)))
    .map(([name, amount]) =>
      invalid(
        `${path}.${low}[${name}]`,
        amount,
        `${low} value ${amount} is greater than ${high} value ${stringAt(highs, name)}`,
      ),
    );
}

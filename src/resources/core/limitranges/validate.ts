import type { LimitRange, LimitRangeItem } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../../../meta/quantity.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkString, isMoreThan } from '../../rules/fields/field-checks.ts';
import {
  canBeOvercommitted,
  checkContainerResourceName,
  checkResourceName,
} from '../../rules/fields/resource-amounts.ts';

/**
 * All errors of a limit range: repeated types, unknown resources, and amounts that contradict each
 * other.
 */
export function validateLimitRange({ spec }: LimitRange): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.limits', spec.limits ?? [], (limit, path) => {
    const { type } = limit;
    const repeated = seen.has(type);
    seen.add(type);
    return [
      ...typeErrors(`${path}.type`, type),
      ...(repeated ? [duplicate(`${path}.type`, type)] : []),
      ...nameErrors(limit, path, ['max', 'min']),
      ...(type === 'Pod' ? podErrors(limit, path) : nameErrors(limit, path, ['default', 'defaultRequest'])),
      ...(type === 'PersistentVolumeClaim' ? claimErrors(limit, path) : []),
      ...nameErrors(limit, path, ['maxLimitRequestRatio']),
      ...resourceErrors(limit, path),
    ];
  });
}

const limitTypes: ReadonlySet<string> = new Set(['Container', 'Pod', 'PersistentVolumeClaim']);

function typeErrors(field: string, type: string): readonly FieldError[] {
  const errors = checkString(field, type, validateQualifiedName);
  if (errors.length > 0 || type.includes('/') || limitTypes.has(type)) return errors;
  return [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

const amountFields = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

type AmountField = (typeof amountFields)[number];

function nameErrors(limit: LimitRangeItem, path: string, fields: readonly AmountField[]): readonly FieldError[] {
  const check = ['Pod', 'Container'].includes(limit.type) ? checkContainerResourceName : checkResourceName;
  return errorsOfEach(fields, (field) =>
    Object.keys(limit[field] ?? {}).flatMap((name) => check(`${path}.${field}[${name}]`, name)),
  );
}

/** Refuses defaults in a limit of Pods: they apply to containers only. */
function podErrors(limit: LimitRangeItem, path: string): readonly FieldError[] {
  return (['default', 'defaultRequest'] as const)
    .filter((name) => Object.keys(limit[name] ?? {}).length > 0)
    .map((name) => forbidden(`${path}.${name}`, "may not be specified when `type` is 'Pod'"));
}

function claimErrors({ min, max }: LimitRangeItem, path: string): readonly FieldError[] {
  const bounded = min?.['storage'] !== undefined || max?.['storage'] !== undefined;
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  return bounded ? [] : [required(`${path}.limits`, detail)];
}

/**
 * Pairs of fields of which `low` must not be greater than `high`: `words` are their names in
 * messages, `field` is the field of the error, `shown` the field whose amount it shows.
 */
const orders = [
  { low: 'min', high: 'max', words: ['min', 'max'], field: 'min', shown: 'min' },
  {
    low: 'min',
    high: 'defaultRequest',
    words: ['min', 'default request'],
    field: 'defaultRequest',
    shown: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'max',
    words: ['default request', 'max'],
    field: 'defaultRequest',
    shown: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'default',
    words: ['default request', 'default limit'],
    field: 'defaultRequest',
    shown: 'defaultRequest',
  },
  { low: 'min', high: 'default', words: ['min', 'default'], field: 'default', shown: 'min' },
  { low: 'default', high: 'max', words: ['default', 'max'], field: 'default', shown: 'max' },
] as const;

/**
 * The errors of the amounts of each resource. Rules about maps that the limit omits are not
 * evaluated.
 */
function resourceErrors(limit: LimitRangeItem, path: string): readonly FieldError[] {
  const ordered = limit.type === 'Pod' ? orders.slice(0, 1) : orders;
  const applying = ordered.filter(({ low, high }) => limit[low] && limit[high]);
  if (applying.length === 0 && !limit.maxLimitRequestRatio) return noErrors;
  const names = new Set(amountFields.flatMap((field) => Object.keys(limit[field] ?? {})));
  return errorsOfEach([...names], (name) => amountErrors({ limit, path, name, ordered: applying }));
}

interface Amounts {
  readonly limit: LimitRangeItem;
  readonly path: string;
  readonly name: string;
  readonly ordered: readonly (typeof orders)[number][];
}

function amountErrors({ limit, path, name, ordered }: Amounts): readonly FieldError[] {
  const amount = (field: AmountField): string => getOwn(limit[field] ?? {}, name) ?? '';
  return [
    ...ordered
      .filter(({ low, high }) => isMoreThan(amount(low), amount(high)))
      .map(({ low, high, words: [less, more], field, shown }) =>
        invalid(
          `${path}.${field}[${name}]`,
          amount(shown),
          `${less} value ${amount(low)} is greater than ${more} value ${amount(high)}`,
        ),
      ),
    ...ratioErrors(
      `${path}.maxLimitRequestRatio[${name}]`,
      amount('maxLimitRequestRatio'),
      amount('max'),
      amount('min'),
    ),
    ...sameErrors(`${path}.defaultRequest[${name}]`, name, amount('default'), amount('defaultRequest')),
  ];
}

/** Checks a ratio of limit to request: at least 1, and at most the ratio of the bounds. */
function ratioErrors(field: string, ratio: string, max: string, min: string): readonly FieldError[] {
  const bound = numberOf(max) / numberOf(min);
  return [
    ...(isMoreThan('1', ratio) ? [invalid(field, ratio, `ratio ${ratio} is less than 1`)] : []),
    ...(numberOf(ratio) / numberOf('1') > bound
      ? [invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${bound.toFixed(6)}`)]
      : []),
  ];
}

function numberOf(amount: string): number {
  const quantity = parseQuantity(amount);
  return 'error' in quantity ? Number.NaN : Number(quantity.nanos);
}

/**
 * For a resource that cannot be overcommitted, the default limit must equal the default request.
 */
function sameErrors(field: string, name: string, given: string, requested: string): readonly FieldError[] {
  const [left, right] = [parseQuantity(given), parseQuantity(requested)];
  if (canBeOvercommitted(name) || 'error' in left || 'error' in right) return [];
  return compareQuantities(left, right) === 0
    ? []
    : [invalid(field, requested, `default value ${given} must equal to defaultRequest value ${requested} in ${name}`)];
}

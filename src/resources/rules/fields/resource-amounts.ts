import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import { isSet, objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkString } from './check.ts';

const standard: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const hugePages = 'hugepages-';
const nanosPerUnit = 1_000_000_000n;

/** Resources of which one can promise more than there is: those that the product itself counts, but for huge pages. */
export function canBeOvercommitted(name: string): boolean {
  return isNative(name) && !name.startsWith(hugePages);
}

/** Under whatever identifiers: the domain of either set is nobody else's. */
const ownDomains = identifierSets.map((set) => `${identifiersOf(set).labelDomain}/`);

function isNative(name: string): boolean {
  return !name.includes('/') || ownDomains.some((domain) => name.includes(domain));
}

/** What a container requests and is limited to. */
export function checkContainerResources(field: string, resources: JsonObject): readonly FieldError[] {
  const limits = stringEntriesAt(resources, 'limits');
  const requests = stringEntriesAt(resources, 'requests');
  const limited = objectAt(resources, 'limits');
  const amounts = [...limits, ...requests];
  return allErrors(
    errorsOfEach(limits, ([name, amount]) => checkContainerAmount(`${field}.limits[${name}]`, name, amount)),
    errorsOfEach(requests, ([name, amount]) =>
      allErrors(
        checkContainerAmount(`${field}.requests[${name}]`, name, amount),
        isSet(limited, name)
          ? comparisonErrors(`${field}.requests`, name, amount, stringAt(limited, name))
          : canBeOvercommitted(name)
            ? noErrors
            : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')],
      ),
    ),
    amounts.some(([name]) => name.startsWith(hugePages)) && !amounts.some(([name]) => isCpuOrMemory(name))
      ? [forbidden(field, 'HugePages require cpu or memory')]
      : noErrors,
  );
}

function isCpuOrMemory(name: string): boolean {
  return name === 'cpu' || name === 'memory';
}

function checkContainerAmount(field: string, name: string, amount: string): readonly FieldError[] {
  return allErrors(checkContainerResourceName(field, name), checkAmount(field, name, amount));
}

/** The name of a resource that a container can be given. */
export function checkContainerResourceName(field: string, name: string): readonly FieldError[] {
  const known = name.includes('/') || standard.has(name) || name.startsWith(hugePages);
  return allErrors(
    checkResourceName(field, name),
    known ? noErrors : [invalid(field, name, 'must be a standard resource for containers')],
  );
}

/** Every resource that has a meaning without a domain, wherever it may be counted. */
function isStandard(name: string): boolean {
  const bare = name.replace(/^(?:requests|limits)\./, '');
  return standard.has(bare) || bare.startsWith(hugePages) || bare === 'storage' || counted.has(name);
}

/** The name of a resource: one of the product's own, or one with a domain. */
export function checkResourceName(field: string, name: string): readonly FieldError[] {
  const errors = checkString(field, name, validateQualifiedName);
  if (errors.length > 0) return errors;
  return name.includes('/') || isStandard(name)
    ? noErrors
    : [invalid(field, name, 'must be a standard resource type or fully qualified')];
}

/** An amount of a resource: not negative, and whole where the resource has no parts. */
export function checkAmount(field: string, name: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  if ('error' in quantity) return noErrors;
  if (quantity.nanos < 0n) return [invalid(field, amount, 'must be greater than or equal to 0')];
  const whole = isCounted(name) || !isNative(name);
  return whole && quantity.nanos % nanosPerUnit !== 0n ? [invalid(field, amount, 'must be an integer')] : noErrors;
}

/** Room that is asked for on a disk: more than none. */
export function checkStorage(field: string, amount: string): readonly FieldError[] {
  return allErrors(checkAmount(field, 'storage', amount), positiveErrors(field, amount));
}

/** Room that a disk offers: more than none. */
export function checkOfferedStorage(field: string, amount: string): readonly FieldError[] {
  return allErrors(checkOffer(field, amount), positiveErrors(field, amount));
}

function positiveErrors(field: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  return 'error' in quantity || quantity.nanos > 0n ? noErrors : [invalid(field, amount, 'must be greater than zero')];
}

/** An amount that something offers: not negative. Reported in whole units. */
export function checkOffer(field: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  return 'error' in quantity || quantity.nanos >= 0n
    ? noErrors
    : [invalid(field, wholeUnits(quantity.nanos), 'must be a valid resource quantity')];
}

/** An amount below nothing in units, away from it. */
function wholeUnits(nanos: bigint): bigint {
  return (nanos - nanosPerUnit + 1n) / nanosPerUnit;
}

/** Resources that are numbers of objects. */
const counted: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

function isCounted(name: string): boolean {
  return counted.has(name) || name.startsWith('count/');
}

function comparisonErrors(field: string, name: string, request: string, limit: string): readonly FieldError[] {
  const difference = nanosOf(request) - nanosOf(limit);
  if (difference !== 0n && !canBeOvercommitted(name)) {
    return [invalid(field, request, `must be equal to ${name} limit`)];
  }
  return difference > 0n ? [invalid(field, request, `must be less than or equal to ${name} limit`)] : noErrors;
}

function nanosOf(amount: string): bigint {
  const quantity: Quantity | { readonly error: string } = parseQuantity(amount);
  return 'error' in quantity ? 0n : quantity.nanos;
}

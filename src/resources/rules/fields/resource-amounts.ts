import type { ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { parseQuantity, type Quantity } from '../../../meta/quantity.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkString } from './field-checks.ts';

const standard: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const hugePages = 'hugepages-';
const nanosPerUnit = 1_000_000_000n;

/**
 * True if requests for a resource may exceed its capacity: all native resources except huge pages.
 */
export function canBeOvercommitted(name: string): boolean {
  return isNative(name) && !name.startsWith(hugePages);
}

/** The prefixes of native resources, of every set of identifiers: both domains are reserved. */
const ownDomains = identifierSets.map((set) => `${identifiersOf(set).labelDomain}/`);

/** True if a resource name has no domain or one of Kubernetes. */
export function isNative(name: string): boolean {
  return !name.includes('/') || ownDomains.some((domain) => name.includes(domain));
}

/** Checks the limits and requests of a container. */
export function checkContainerResources(field: string, resources: Amounts): readonly FieldError[] {
  return checkResources(field, resources, checkContainerResourceName);
}

/** The resources of a container or pod. */
type Amounts = Pick<ResourceRequirements, 'limits' | 'requests'>;

/** Checks limits and requests; `checkName` returns the errors of a name. */
export function checkResources(
  field: string,
  { limits = {}, requests = {} }: Amounts,
  checkName: (field: string, name: string) => readonly FieldError[],
): readonly FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const check = (path: string, name: string, amount: string): readonly FieldError[] =>
    allErrors(checkName(path, name), checkAmount(path, name, amount));
  return allErrors(
    errorsOfEach(Object.entries(limits), ([name, amount]) => check(`${field}.limits[${name}]`, name, amount)),
    errorsOfEach(Object.entries(requests), ([name, amount]) =>
      allErrors(
        check(`${field}.requests[${name}]`, name, amount),
        checkRequest(field, name, amount, getOwn(limits, name)),
      ),
    ),
    names.some((name) => name.startsWith(hugePages)) && !names.some(isCpuOrMemory)
      ? [forbidden(field, 'HugePages require cpu or memory')]
      : noErrors,
  );
}

/** Checks a request against the limit of the same resource, which some resources need. */
function checkRequest(field: string, name: string, request: string, limit: string | undefined): readonly FieldError[] {
  if (limit !== undefined) return comparisonErrors(`${field}.requests`, name, request, limit);
  return canBeOvercommitted(name)
    ? noErrors
    : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
}

function isCpuOrMemory(name: string): boolean {
  return name === 'cpu' || name === 'memory';
}

/** Checks the name of a resource of a container. */
export function checkContainerResourceName(field: string, name: string): readonly FieldError[] {
  const known = name.includes('/') || standard.has(name) || name.startsWith(hugePages);
  return allErrors(
    checkResourceName(field, name),
    known ? noErrors : [invalid(field, name, 'must be a standard resource for containers')],
  );
}

/** True if a name without a domain is a known resource, of containers, quotas or volumes. */
function isStandard(name: string): boolean {
  const bare = name.replace(/^(?:requests|limits)\./, '');
  return standard.has(bare) || bare.startsWith(hugePages) || bare === 'storage' || counted.has(name);
}

/** Checks the name of a resource: a standard one, or one with a domain. */
export function checkResourceName(field: string, name: string): readonly FieldError[] {
  const errors = checkString(field, name, validateQualifiedName);
  if (errors.length > 0) return errors;
  return name.includes('/') || isStandard(name)
    ? noErrors
    : [invalid(field, name, 'must be a standard resource type or fully qualified')];
}

/**
 * Checks an amount of a resource: not negative, and an integer if the resource cannot be divided.
 * The schema reports amounts that are not quantities.
 */
export function checkAmount(field: string, name: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  if ('error' in quantity) return noErrors;
  if (quantity.nanos < 0n) return [invalid(field, amount, 'must be greater than or equal to 0')];
  const whole = isCounted(name) || !isNative(name);
  return whole && quantity.nanos % nanosPerUnit !== 0n ? [invalid(field, amount, 'must be an integer')] : noErrors;
}

/** Checks the storage capacity of a volume: greater than zero. */
export function checkOfferedStorage(field: string, amount: string): readonly FieldError[] {
  return allErrors(checkOffer(field, amount), checkStorage(field, amount));
}

/** Checks requested storage: greater than zero. */
export function checkStorage(field: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  return 'error' in quantity || quantity.nanos > 0n ? noErrors : [invalid(field, amount, 'must be greater than zero')];
}

/** Checks a capacity: not negative. The error shows the amount in whole units. */
export function checkOffer(field: string, amount: string): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  return 'error' in quantity || quantity.nanos >= 0n
    ? noErrors
    : [invalid(field, wholeUnits(quantity.nanos), 'must be a valid resource quantity')];
}

/** A negative amount in whole units, rounded away from zero. */
function wholeUnits(nanos: bigint): bigint {
  return (nanos - nanosPerUnit + 1n) / nanosPerUnit;
}

/** Resources that count objects. */
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

import type { JsonObject } from '../../../meta/json-value.ts';
import { normaliseQuantity } from '../../../meta/quantity.ts';
import { isSet, objectAt, stringAt, numberAt } from '../../../meta/read-field.ts';
import { validateConfigKey, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkRequiredString, checkString } from '../../rules/fields/check.ts';

/** The fields of a Pod that the downward API can read. */
const readableFields: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);

/** The fields that an environment variable can read. */
export const variableFields: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

/** The fields that a file of a downward API volume can read. */
const fileFields: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const entryPattern = /^([a-zA-Z.]+)\['([^']*)'\]$/;

/**
 * Checks a reference to a field of the Pod itself. `allowed` are the fields that are valid here.
 */
export function checkFieldReference(
  field: string,
  reference: JsonObject,
  allowed: readonly string[],
): readonly FieldError[] {
  const [version, path] = [stringAt(reference, 'apiVersion'), stringAt(reference, 'fieldPath')];
  if (path === '') return [required(`${field}.fieldPath`)];
  const entry = entryPattern.exec(path);
  const problem = conversionProblem(version, path, entry?.[1]);
  if (problem !== undefined) {
    return [invalid(`${field}.fieldPath`, path, `error converting fieldPath: ${problem}`)];
  }
  if (entry) return entryErrors(field, entry[1] ?? '', entry[2] ?? '');
  const current = path === oldNodeName ? 'spec.nodeName' : path;
  return allowed.includes(current) ? noErrors : [notSupported(`${field}.fieldPath`, path, allowed)];
}

/** The earlier name of `spec.nodeName`. */
const oldNodeName = 'spec.host';

/**
 * The reason why a field cannot be read in a version; undefined if it can. `whole` is the map if
 * the path is an entry of a map.
 */
function conversionProblem(version: string, path: string, whole: string | undefined): string | undefined {
  // An empty version means the default, v1.
  if (version !== '' && version !== 'v1') return `unsupported pod version: ${version}`;
  if (whole !== undefined) {
    return mapFields.has(whole) ? undefined : `field label does not support subscript: ${path}`;
  }
  return readableFields.has(path) || path === oldNodeName ? undefined : `field label not supported: ${path}`;
}

/** The maps whose entries can be read. */
const mapFields: ReadonlySet<string> = new Set(['metadata.annotations', 'metadata.labels']);

/** Checks the key of an entry of labels or annotations. */
function entryErrors(field: string, path: string, key: string): readonly FieldError[] {
  const name = path === 'metadata.annotations' ? key.toLowerCase() : key;
  return validateQualifiedName(name).map((message) => invalid(field, key, message));
}

const amounts: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/**
 * Checks a reference to a request or limit of a container. In a volume it must name the container.
 */
export function checkResourceReference(field: string, reference: JsonObject, inVolume: boolean): readonly FieldError[] {
  const resource = stringAt(reference, 'resource');
  return allErrors(
    resourceErrors(field, resource, inVolume && stringAt(reference, 'containerName') === ''),
    divisorErrors(field, resource, stringAt(reference, 'divisor')),
  );
}

function resourceErrors(field: string, resource: string, lacksContainer: boolean): readonly FieldError[] {
  if (lacksContainer) return [required(`${field}.containerName`)];
  if (resource === '') return [required(`${field}.resource`)];
  const known = amounts.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource);
  return known ? noErrors : [notSupported(`${field}.resource`, resource, amounts)];
}

const byteUnits = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** The divisors of each resource, and the message for others. */
const divisors: ReadonlyMap<string, { readonly units: readonly string[]; readonly detail: string }> = new Map([
  ['cpu', { units: ['1m', '1'], detail: "only divisor's values 1m and 1 are supported with the cpu resource" }],
  ['memory', { units: byteUnits, detail: byteUnitsDetail('memory') }],
  ['ephemeral-storage', { units: byteUnits, detail: byteUnitsDetail('local ephemeral storage') }],
]);

function byteUnitsDetail(what: string): string {
  return `only divisor's values ${byteUnits.join(', ')} are supported with the ${what} resource`;
}

/** Checks a divisor. Zero means the default. */
function divisorErrors(field: string, resource: string, divisor: string): readonly FieldError[] {
  const rule = amounts.includes(resource) ? divisors.get(resource.slice(resource.indexOf('.') + 1)) : undefined;
  const unit = divisor === '' ? '0' : (normaliseQuantity(divisor) ?? divisor);
  return !rule || unit === '0' || rule.units.includes(unit)
    ? noErrors
    : [invalid(`${field}.divisor`, resource, rule.detail)];
}

/** Checks a reference to a key of a ConfigMap or Secret. */
export function checkKeyReference(field: string, reference: JsonObject): readonly FieldError[] {
  return allErrors(
    checkString(`${field}.name`, stringAt(reference, 'name'), validateDnsSubdomain),
    checkRequiredString(`${field}.key`, stringAt(reference, 'key'), validateConfigKey),
  );
}

/** Checks a relative path in a volume. It must not contain `..`. */
export function checkLocalPath(field: string, path: string): readonly FieldError[] {
  return allErrors(
    path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : noErrors,
    checkNoBacksteps(field, path),
  );
}

/**
 * Checks the path of a file in a volume. Names that begin with `..` are reserved for the atomic
 * replacement of the content.
 */
function checkFilePath(field: string, path: string): readonly FieldError[] {
  const errors = checkLocalPath(field, path);
  const reserved = path.startsWith('..') && !path.startsWith('../') && path !== '..';
  return reserved ? [...errors, invalid(field, path, "must not start with '..'")] : errors;
}

/** Checks that a path has no element `..`. */
export function checkNoBacksteps(field: string, path: string): readonly FieldError[] {
  return path.includes('..') && path.split('/').includes('..')
    ? [invalid(field, path, "must not contain '..'")]
    : noErrors;
}

/** Checks an item that maps a key of a ConfigMap or Secret to a file. */
export function checkKeyToPath(item: JsonObject, path: string): readonly FieldError[] {
  const file = stringAt(item, 'path');
  return file === '' ? noErrors : checkFilePath(`${path}.path`, file);
}

/** Checks the permission bits of a file. */
function checkFileMode(field: string, mode: number | undefined): readonly FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : noErrors;
}

/** Checks a file of a downward API volume. */
export function checkDownwardFile(item: JsonObject, path: string): readonly FieldError[] {
  const file = stringAt(item, 'path');
  return allErrors(
    file === '' ? [required(`${path}.path`)] : checkFilePath(`${path}.path`, file),
    downwardSourceErrors(item, path),
    checkFileMode(`${path}.mode`, numberAt(item, 'mode')),
  );
}

function downwardSourceErrors(item: JsonObject, path: string): readonly FieldError[] {
  const [field, resource] = [isSet(item, 'fieldRef'), isSet(item, 'resourceFieldRef')];
  if (field && resource) {
    return [invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')];
  }
  if (field) return checkFieldReference(`${path}.fieldRef`, objectAt(item, 'fieldRef'), fileFields);
  if (resource) return checkResourceReference(`${path}.resourceFieldRef`, objectAt(item, 'resourceFieldRef'), true);
  return [required(path, 'one of fieldRef and resourceFieldRef is required')];
}

/**
 * Refuses all but the first of several fields that exclude each other, without a check of what is
 * in them.
 */
export function checkOnlyOne(
  path: string,
  object: JsonObject,
  fields: readonly string[],
  what: string,
): readonly FieldError[] {
  const given = fields.filter((name) => isSet(object, name));
  if (given.length < 2) return noErrors;
  return given.slice(1).map((name) => forbidden(`${path}.${name}`, `may not specify more than 1 ${what}`));
}

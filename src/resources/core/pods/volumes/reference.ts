import type {
  ConfigMapKeySelector,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  KeyToPath,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from '../../../../gen/stored/core-v1.ts';
import { normaliseQuantity } from '../../../../meta/quantity.ts';
import { validateConfigKey, validateDnsSubdomain, validateQualifiedName } from '../../../../meta/validate-name.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import { allErrors, noErrors } from '../../../../status/all-errors.ts';
import { FieldCursor } from '../../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported } from '../../../../status/field-error.ts';
import { checkRequiredString, checkString } from '../../../rules/fields/field-checks.ts';

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
  'status.hostIPs',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);

const variableFields: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

const hostIps = 'status.hostIPs';
const laterVariableFields = [...variableFields, hostIps].toSorted();

/** True if nodes report all of their addresses in a release. */
function knowsHostIps(emulated: EmulatedRelease): boolean {
  return isSince(emulated.release, '1.28') && emulated.isFeatureEnabled('PodHostIPs');
}

/** The fields that environment variables can refer to in a release. */
export function variableFieldsIn(emulated: EmulatedRelease): readonly string[] {
  return knowsHostIps(emulated) ? laterVariableFields : variableFields;
}

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
  reference: FieldCursor<ObjectFieldSelector>,
  allowed: readonly string[],
  emulated: EmulatedRelease,
): void {
  const field = reference.at('fieldPath');
  const { value: path } = field;
  // The schema has this rule too, but not at the path of a volume.
  field.mustBeSet();
  if (path === '') return;
  const [, map, key = ''] = entryPattern.exec(path) ?? [];
  const problem = conversionProblem(reference.value, map, emulated);
  if (problem !== undefined) field.reportInvalid(`error converting fieldPath: ${problem}`);
  else if (map === undefined) {
    const current = path === oldNodeName ? 'spec.nodeName' : path;
    if (!allowed.includes(current)) field.report(notSupported(field.path, path, allowed));
  } else {
    const name = map === 'metadata.annotations' ? key.toLowerCase() : key;
    for (const message of validateQualifiedName(name)) reference.reportInvalid(message, key);
  }
}

/** The earlier name of `spec.nodeName`. */
const oldNodeName = 'spec.host';

/**
 * The reason why a field cannot be read in a version; undefined if it can. `map` is the field of
 * the map if the path is an entry of a map.
 */
function conversionProblem(
  { apiVersion: version, fieldPath: path }: ObjectFieldSelector,
  map: string | undefined,
  emulated: EmulatedRelease,
): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (map !== undefined) return mapFields.has(map) ? undefined : `field label does not support subscript: ${path}`;
  const isKnown = readableFields.has(path) && (path !== hostIps || knowsHostIps(emulated));
  return isKnown || path === oldNodeName ? undefined : `field label not supported: ${path}`;
}

/** The maps whose entries can be read. */
const mapFields: ReadonlySet<string> = new Set(['metadata.annotations', 'metadata.labels']);

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
export function checkResourceReference(reference: FieldCursor<ResourceFieldSelector>, inVolume: boolean): void {
  const { containerName, resource, divisor } = reference.value;
  const field = reference.at('resource');
  if (inVolume && !containerName) reference.at('containerName').reportRequired();
  else if (!/^(?:limits|requests)\.hugepages-/.test(resource)) {
    field.mustBeSet();
    field.mustBeOneOf(amounts);
  }
  const rule = amounts.includes(resource) ? divisors.get(resource.slice(resource.indexOf('.') + 1)) : undefined;
  // Zero is the default.
  const unit = divisor === '' ? '0' : (normaliseQuantity(divisor) ?? divisor);
  if (rule && unit !== '0' && !rule.units.includes(unit)) reference.at('divisor').reportInvalid(rule.detail, resource);
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

/** Checks a reference to a key of a ConfigMap or Secret. */
export function checkKeyReference(reference: FieldCursor<ConfigMapKeySelector | SecretKeySelector>): void {
  const { path } = reference;
  const { name = '', key } = reference.value;
  reference.report(
    ...checkString(`${path}.name`, name, validateDnsSubdomain),
    ...checkRequiredString(`${path}.key`, key, validateConfigKey),
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
export function checkFilePath(field: string, path: string): readonly FieldError[] {
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

/** Checks the items that map keys of a ConfigMap or Secret to files. */
export function checkKeyPaths(source: FieldCursor<{ readonly items?: KeyToPath[] }>): void {
  for (const item of source.each('items')) {
    const file = item.at('path');
    if (file.isSet) file.report(...checkFilePath(file.path, file.value));
  }
}

/** Checks the files of a downward API volume. Errors are at the volume, not at the item. */
export function checkDownwardFiles(
  source: FieldCursor<Pick<DownwardAPIVolumeSource, 'items'>>,
  emulated: EmulatedRelease,
): void {
  for (const item of source.each('items')) {
    const file = new FieldCursor(item.value, source.path);
    const path = file.at('path');
    path.mustBeSet();
    if (path.isSet) path.report(...checkFilePath(path.path, path.value));
    checkDownwardSource(file, emulated);
    const { mode = 0 } = item.value;
    if (mode < 0 || mode > 0o777) {
      file.at('mode').reportInvalid('must be a number between 0 and 0777 (octal), both inclusive');
    }
    source.report(...file.errors);
  }
}

function checkDownwardSource(file: FieldCursor<DownwardAPIVolumeFile>, emulated: EmulatedRelease): void {
  const [field, resource] = [file.at('fieldRef'), file.at('resourceFieldRef')];
  if (field.isPresent() && resource.isPresent()) {
    file.reportInvalid('fieldRef and resourceFieldRef can not be specified simultaneously', 'resource');
  } else if (field.isPresent()) checkFieldReference(field, fileFields, emulated);
  else if (resource.isPresent()) checkResourceReference(resource, true);
  else file.reportRequired('one of fieldRef and resourceFieldRef is required');
}

import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import { fieldProblems } from './decode-request.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition/resource-definition.ts';
import { servedVersion, storageVersionOf, type StoredDefinition } from '../definition/served-version.ts';
import type { ServedVersion } from '../definition/stored-resource.ts';

/** An object that cannot be converted; the message states why. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** A kind in one version, with the version through which all of its versions are converted. */
interface ConvertibleKind {
  readonly version: ServedVersion;
  readonly hub: ServedVersion;
  readonly listKind: string;
}

/**
 * Converts an object or a list of objects to a version; undefined: the preferred one of its kind.
 */
type ConvertObject = (object: JsonObject, apiVersion: string | undefined) => JsonObject;

/**
 * Creates a converter between all versions of the definitions, through the version in which objects
 * are stored. It fills in the defaults of the given version. Throws `ConversionError` for unknown
 * kinds, versions and fields, and `DecodeError` for values of wrong types.
 */
export function createConverter(identifiers: Identifiers, definitions: readonly ResourceDefinition[]): ConvertObject {
  const kinds = definitions.flatMap((definition) =>
    definition.versions.map((row) => kindOf(identifiers, definition, row)),
  );
  return (object, apiVersion) => {
    const [given, name] = [stringAt(object, 'apiVersion'), stringAt(object, 'kind')];
    const source = kinds.find(
      ({ version, listKind }) => version.apiVersion === given && [version.kind, listKind].includes(name),
    );
    if (!source) throw new ConversionError(unknownKind(kinds, given, name));
    const target = targetOf(kinds, source, apiVersion);
    const isList = name === source.listKind && name !== source.version.kind;
    return isList ? convertedList(source, target, object) : converted(source, target, object);
  };
}

function kindOf(identifiers: Identifiers, definition: ResourceDefinition, row: VersionDefinition): ConvertibleKind {
  const stored = withStorage(definition);
  return {
    version: servedVersion(identifiers, stored, row),
    hub: storageVersionOf(stored.storage),
    listKind: definition.listKind,
  };
}

/** Reviews and other kinds that are not stored are converted through their preferred version. */
function withStorage(definition: ResourceDefinition): StoredDefinition {
  const { storage, group, shortGroup, resource, kind, versions } = definition;
  const [preferred] = versions;
  if (storage) return { ...definition, storage };
  if (!preferred) throw new TypeError(`${resource} has no versions`);
  const { version, schema } = preferred;
  return { ...definition, storage: { group, shortGroup, version, resource, kind, schema } };
}

function unknownKind(kinds: readonly ConvertibleKind[], apiVersion: string, kind: string): string {
  const versions = kinds.filter(({ version }) => version.kind === kind).map(({ version }) => version.apiVersion);
  const known = versions.length > 0 ? `; it has ${versions.join(', ')}` : '';
  return `no kind ${JSON.stringify(kind)} is known in version ${JSON.stringify(apiVersion)}${known}`;
}

function targetOf(
  kinds: readonly ConvertibleKind[],
  source: ConvertibleKind,
  apiVersion: string | undefined,
): ConvertibleKind {
  const sharing = kinds.filter(
    ({ hub, version }) => isSameVersion(hub, source.hub) && version.kind === source.version.kind,
  );
  const { group } = parseApiVersion(source.hub.apiVersion) ?? { group: '' };
  const preferred = sharing.find(({ version }) => parseApiVersion(version.apiVersion)?.group === group);
  const target =
    apiVersion === undefined ? preferred : sharing.find(({ version }) => version.apiVersion === apiVersion);
  if (target) return target;
  const versions = sharing.map(({ version }) => version.apiVersion).join(', ');
  throw new ConversionError(`${source.version.kind} has no version ${JSON.stringify(apiVersion)}; it has ${versions}`);
}

function isSameVersion(one: ServedVersion, other: ServedVersion): boolean {
  return one.apiVersion === other.apiVersion && one.kind === other.kind;
}

function convertedList(source: ConvertibleKind, target: ConvertibleKind, list: JsonObject): JsonObject {
  const { items } = list;
  const { apiVersion, kind } = source.version;
  const typed = (Array.isArray(items) ? items : []).map((item) => {
    if (!isJsonObject(item)) throw new ConversionError('an item of the list is not an object');
    return converted(source, target, { ...item, apiVersion, kind });
  });
  return { ...list, kind: target.listKind, apiVersion: target.version.apiVersion, items: typed };
}

function converted(source: ConvertibleKind, target: ConvertibleKind, object: JsonObject): JsonObject {
  const { value, unknownFields } = decodeObject(source.version.schema, object);
  if (unknownFields.length > 0) throw new ConversionError(fieldProblems(unknownFields, []).join(', '));
  applyDefaults(source.version.schema, value);
  if (isSameVersion(source.version, target.version)) return value;
  const hub = decodeObject(source.hub.schema, source.version.toStorage(value)).value;
  return target.version.fromStorage(hub);
}

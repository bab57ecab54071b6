import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';

/**
 * The schema, sub-resources, columns and selectable fields of a definition, with the names of v1.
 * Each is either at the top, for all versions, or in versions. v1 has none at the top;
 * kube-apiserver moves those that are equal in all versions there before it validates them.
 */
export interface SpecParts {
  readonly top: JsonObject;
  readonly versions: readonly JsonObject[];
}

/** The names of the parts in v1, each with its name at the top of the spec in v1beta1. */
export const namesOfParts = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/** The parts of a v1 spec. Those that are equal in all versions are at the top. */
export function partsOfVersions(spec: JsonObject): SpecParts {
  const versions = objectsAt(spec, 'versions');
  const [first = {}] = versions;
  const common = new Set<string>(
    namesOfParts.map(([name]) => name).filter((name) => versions.every((one) => sameValue(one[name], first[name]))),
  );
  return {
    top: fieldsOf(first, (name) => common.has(name)),
    versions: versions.map((version) => fieldsOf(version, (name) => !common.has(name))),
  };
}

function fieldsOf(version: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(version).filter(([name]) => isWanted(name)));
}

/**
 * The parts of a v1beta1 spec, each where it was sent. A spec without a list of versions has the
 * one named by `version`.
 */
export function partsAsSent(spec: JsonObject): SpecParts {
  const top = namesOfParts.flatMap(([name, atTop]) => {
    const value = getOwn(spec, atTop);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    top: withColumns(Object.fromEntries(top), 'JSONPath', 'jsonPath'),
    versions: versionsAsSent(spec).map((version) => withColumns(version, 'JSONPath', 'jsonPath')),
  };
}

function versionsAsSent(spec: JsonObject): readonly JsonObject[] {
  const listed = objectsAt(spec, 'versions');
  const name = stringAt(spec, 'version');
  return listed.length > 0 || name === '' ? listed : [{ name, served: true, storage: true }];
}

/** Renames the path of each column: `JSONPath` in v1beta1, `jsonPath` in v1. Mutates nothing. */
export function withColumns(part: JsonObject, from: string, to: string): JsonObject {
  if (!isSet(part, 'additionalPrinterColumns')) return part;
  const columns = objectsAt(part, 'additionalPrinterColumns').map((column) =>
    Object.fromEntries(Object.entries(column).map(([name, value]) => [name === from ? to : name, value])),
  );
  return { ...part, additionalPrinterColumns: columns };
}

/** True if the status is a sub-resource of a version, or of all if the part is at the top. */
export function hasStatus(part: JsonObject): boolean {
  return isSet(objectAt(part, 'subresources'), 'status');
}

import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import { builtInCatalogue } from '../../src/catalogue/definitions.ts';
import type { ResourceDefinition, VersionDefinition } from '../../src/registry/definition/resource-definition.ts';
import type { ObjectSchema } from '../../src/scheme/model/schema.ts';

/** One version of a stored resource, with what a generator of requests needs to know of it. */
export interface Subject {
  readonly info: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly schema: ObjectSchema;
  readonly apiVersion: string;
  /** `core/v1/pods`: how tables name it. */
  readonly key: string;
  /** Path of the collection in the sequence's namespace. */
  readonly collection: string;
  /** Names of the sub-resources that take the object itself and write its status. */
  readonly statuses: readonly string[];
  readonly hasScale: boolean;
}

/** The spellings that kube-apiserver has. */
export const identifiers = identifiersOf('kubernetes');

/** Every version of every stored resource. */
export function allSubjects(): readonly Subject[] {
  return builtInCatalogue(identifiers)
    .current.resources.filter(({ storage }) => storage !== undefined)
    .flatMap((info) => info.versions.map((version) => subjectOf(info, version)));
}

function subjectOf(info: ResourceDefinition, version: VersionDefinition): Subject {
  const apiVersion = info.group === '' ? version.version : `${info.group}/${version.version}`;
  const base = info.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const subresources = version.subresources.map(({ name }) => name);
  return {
    info,
    version,
    schema: version.schema(),
    apiVersion,
    key: `${info.shortGroup || 'core'}/${version.version}/${info.resource}`,
    collection: `${base}/${info.namespaced ? 'namespaces/{{ns}}/' : ''}${info.resource}`,
    statuses: subresources.filter((name) => name === 'status' || name === 'approval'),
    hasScale: subresources.includes('scale'),
  };
}

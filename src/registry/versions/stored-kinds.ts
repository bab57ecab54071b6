import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { storedHead } from '../../storage/objects/stored-object.ts';
import { resourceSegment } from '../../storage/port/object-key.ts';
import type { ResourceDefinition, StoredVersions } from '../definition/resource-definition.ts';
import { isStored, servedVersion, storageVersionOf, type StoredDefinition } from '../definition/served-version.ts';
import type { ServedVersion } from '../definition/stored-resource.ts';

/** A resource whose objects the store holds in any of several versions. */
export interface StoredKind {
  /** The version in which the cache holds objects. */
  readonly storageVersion: ServedVersion;
  /** The version in which objects are written. */
  readonly written: ServedVersion;
  /** The beginning of the JSON of objects that need no conversion. */
  readonly head: Buffer | undefined;
  /**
   * How objects in a version are completed; undefined if they are complete as they are. Absent: all
   * are.
   */
  readonly completionIn?: (version: ServedVersion) => CompleteObject | undefined;
  /**
   * Set if the cache holds objects in the version in which they were stored; notes whether there
   * are others than the storage version.
   */
  readonly mixed?: StoredVersions;
  /** All versions that can be read, served or not, by the beginning of their JSON in the store. */
  readonly versions: ReadonlyMap<string, ServedVersion>;
}

/**
 * Returns an object as the present definition has it, with new defaults and without fields that are
 * no longer declared; undefined if it is so already. May change its argument.
 */
export type CompleteObject = (object: JsonObject) => JsonObject | undefined;

/**
 * The kinds that have several versions, by the segment of their keys. `known` are definitions with
 * all versions, `served` the definitions of this server.
 */
export function storedKinds(
  identifiers: Identifiers,
  known: readonly ResourceDefinition[],
  served: readonly ResourceDefinition[],
): ReadonlyMap<string, StoredKind> {
  const stored = known.filter(isStored);
  const segments = new Set(stored.map(({ storage }) => resourceSegment(storage)));
  const kinds = [...segments].map((segment) => {
    const definitions = stored.filter(({ storage }) => resourceSegment(storage) === segment);
    const versions = new Map(definitions.flatMap((definition) => versionsOf(identifiers, definition)));
    const writing = served.filter(isStored).find(({ storage }) => resourceSegment(storage) === segment);
    return [segment, kindOf(versions, writing ?? definitions[0])] as const;
  });
  return new Map(kinds.flatMap(([segment, kind]) => (kind && kind.versions.size > 1 ? [[segment, kind]] : [])));
}

/**
 * The kind of one definition, which has all versions. `completion` says how objects in a version
 * are completed, if they are; it is asked when the first object in the version is read.
 */
export function storedKindOf(
  identifiers: Identifiers,
  definition: StoredDefinition,
  completion: (version: ServedVersion) => CompleteObject | undefined,
): StoredKind | undefined {
  const kind = kindOf(new Map(versionsOf(identifiers, definition)), definition);
  if (!kind) return undefined;
  const asked = new Map<string, CompleteObject | undefined>();
  const completionIn = (version: ServedVersion): CompleteObject | undefined => {
    if (!asked.has(version.apiVersion)) asked.set(version.apiVersion, completion(version));
    return asked.get(version.apiVersion);
  };
  const mixed = definition.conversion?.stored;
  return {
    ...kind,
    get head() {
      return completionIn(kind.storageVersion) ? undefined : kind.head;
    },
    completionIn,
    ...(mixed ? { mixed } : {}),
  };
}

function versionsOf(identifiers: Identifiers, definition: StoredDefinition): [string, ServedVersion][] {
  return definition.versions.map((row) => {
    const version = servedVersion(identifiers, definition, row);
    return [version.apiVersion, version];
  });
}

function kindOf(
  versions: ReadonlyMap<string, ServedVersion>,
  definition: StoredDefinition | undefined,
): StoredKind | undefined {
  if (!definition) return undefined;
  const { storage } = definition;
  const storageVersion = storageVersionOf(storage);
  const { writtenAs } = storage;
  const written = writtenAs && versions.get(formatApiVersion(writtenAs.group, writtenAs.version));
  const byHead = [...versions.values(), storageVersion].map((version) => [storedHead(version), version] as const);
  const head = written && !written.stored ? undefined : Buffer.from(storedHead(storageVersion));
  return { storageVersion, written: written ?? storageVersion, head, versions: new Map(byHead) };
}

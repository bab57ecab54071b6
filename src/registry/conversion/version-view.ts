import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { RecentTrees } from '../../storage/objects/recent-objects.ts';
import { objectsPrefix } from '../../storage/port/object-key.ts';
import type { StorageDefinition, VersionConversion, VersionDefinition } from '../definition/resource-definition.ts';
import { servedVersion, storageVersionOf } from '../definition/served-version.ts';
import type { Strategy } from '../definition/strategy.ts';
import {
  type ConvertibleVersion,
  hasSubresource,
  type ServedVersion,
  type StoredResource,
} from '../definition/stored-resource.ts';
import { convertedCache } from './converted-cache.ts';
import { ConvertedObjects } from './converted-objects.ts';
import { convertedStore } from './converted-store.ts';
import type { ConversionCache } from './conversion-cache.ts';

interface VersionViewOptions {
  readonly identifiers: Identifiers;
  /** The resource with its cache and its store, where objects are as they were stored. */
  readonly resource: StoredResource;
  readonly conversion: VersionConversion;
  /** The version of the view. */
  readonly row: VersionDefinition;
  readonly kept: ConversionCache;
}

/** A resource as one of its versions sees it; see `VersionConversion`. */
export function versionView({ identifiers, resource, conversion, row, kept }: VersionViewOptions): StoredResource {
  const { info, storage: stored, prefix } = resource;
  const strategy = row.strategy ?? info.strategy;
  const storage: StorageDefinition = { ...stored, version: row.version, schema: row.schema };
  const version = servedVersion(identifiers, { ...info, storage }, row);
  const isStorageVersion = row.version === stored.version;
  const decoding = { fieldsOf: strategy.fieldsOf };
  const { convert, relabels } = conversion;
  const objects = new ConvertedObjects({ version, isStorageVersion, convert, relabels, decoding, kept });
  const toStored = (object: JsonObject) => toStorageVersion(conversion, object, resource.storageVersion);
  const converting = convertedStore({
    store: resource.store,
    cache: resource.cache,
    prefix: objectsPrefix(prefix, stored, ''),
    objects,
    toStored: isStorageVersion ? undefined : toStored,
  });
  const readBack = async (object: JsonObject) => convertOne(conversion, await toStored(object), version);
  const view: StoredResource = {
    ...resource,
    ...(isStorageVersion ? {} : { readBack }),
    storage,
    strategy,
    versions: new Map([[row.version, version]]),
    otherVersions: otherVersions(identifiers, resource, conversion, version),
    storageVersion: storageVersionOf(storage),
    cache: convertedCache({
      cache: resource.cache,
      objects,
      selectsInCache: () =>
        conversion.relabels ? selectsAlike(strategy, info.strategy) : isStorageVersion && !conversion.stored.areMixed,
      isStorageVersion,
      kept,
      decoding,
      takeWritten: converting.takeWritten,
    }),
    store: converting.store,
    recent: isStorageVersion ? resource.recent : treesOnly(resource.recent),
    keepsGeneration: (strategy.generation ?? hasSubresource([row], 'status')) !== false,
    sharingStorage: () => [view],
  };
  return view;
}

/** Reports whether selectors see the same of an object with the same values in both versions. */
function selectsAlike(one: Strategy, other: Strategy): boolean {
  const [fields, others] = [one.selectableFields ?? [], other.selectableFields ?? []];
  return fields.length === others.length && fields.every((field) => others.includes(field));
}

/** A write of another version than the storage version may come back changed. */
function treesOnly(recent: RecentTrees): RecentTrees {
  return { treeOf: (object) => recent.treeOf(object), partsOf: () => undefined, remember: () => {} };
}

/** The versions besides the version of the view, served or not. */
function otherVersions(
  identifiers: Identifiers,
  { info, storage, storageVersion }: StoredResource,
  conversion: VersionConversion,
  own: ServedVersion,
): ReadonlyMap<string, ConvertibleVersion> {
  const known = conversion.versions.map((row) => servedVersion(identifiers, { ...info, storage }, row));
  const others = [storageVersion, ...known].filter(({ version }) => version !== own.version);
  return new Map(
    others.map((other) => [
      other.version,
      {
        apiVersion: formatApiVersion(info.group, other.version),
        version: other.version,
        kind: other.kind,
        get schema() {
          return other.schema;
        },
        toStorage: (object: JsonObject) => convertOne(conversion, object, own),
        fromStorage: (object: JsonObject) => convertOne(conversion, object, other),
      },
    ]),
  );
}

/** Converts an object to be stored, and fills in the defaults that each reader would fill in. */
async function toStorageVersion(
  conversion: VersionConversion,
  object: JsonObject,
  version: Pick<ServedVersion, 'apiVersion' | 'schema'>,
): Promise<JsonObject> {
  const stored = await convertOne(conversion, object, version);
  applyDefaults(version.schema, stored);
  return stored;
}

/** Converts an object that is not in the cache. Throws `StatusError` if it cannot be converted. */
async function convertOne(
  { convert }: VersionConversion,
  object: JsonObject,
  { apiVersion, schema }: Pick<ServedVersion, 'apiVersion' | 'schema'>,
): Promise<JsonObject> {
  const [result] = await convert([object], apiVersion);
  if (!result) throw new TypeError('a conversion has a result for each object');
  if ('error' in result) throw result.error;
  return decodeObject(schema, result.object).value;
}

import { StorageError } from './storage-error.ts';

/** The part of a catalogue row's `storage` that decides on keys. The group is the full one (`apps`, `networking.cl.io`). */
export interface StorageLocation {
  readonly group: string;
  readonly resource: string;
}

/** Names of keys that belong to the system itself. They lie inside the prefix, so that their writes are seen by its watch. */
type InternalKey = 'identifiers' | 'compaction' | 'progress';

/** Collections of such keys. */
export type InternalCollection = 'cluster-ips' | 'node-ports' | 'servers';

/** The segment of internal keys. No resource can be named so. */
const internalSegment = '~';

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const resourcePattern = new RegExp(`^${label}$`);
const groupPattern = new RegExp(`^(?:${label}(?:\\.${label})*)?$`);
/** Slashes, NUL, which stands for "the next key", and halves of characters, which have no bytes of their own. */
const unsafeCharacter = /[/\0\p{Surrogate}]/u;

/**
 * The key of an object: `<prefix>/<resource>[.<group>]/<namespace>/<name>`, without the namespace for cluster-scoped
 * objects (namespace ''). Throws InvalidArgument for a name or namespace that could reach another key.
 */
export function objectKey(prefix: string, location: StorageLocation, namespace: string, name: string): string {
  return objectsPrefix(prefix, location, namespace) + checkedSegment('name', name);
}

/** What the keys of a resource begin with, of one namespace or (namespace '') of all. Ends in `/`. */
export function objectsPrefix(prefix: string, location: StorageLocation, namespace: string): string {
  return namespacePrefix(`${storePrefix(prefix)}${resourceSegment(location)}/`, namespace);
}

/** `objectsPrefix`, where the prefix of the resource is known. */
export function namespacePrefix(resourcePrefix: string, namespace: string): string {
  return namespace === '' ? resourcePrefix : `${resourcePrefix}${checkedSegment('namespace', namespace)}/`;
}

/** `objectKey`, where the prefix of the resource is known. */
export function keyInResource(resourcePrefix: string, namespace: string, name: string): string {
  return namespacePrefix(resourcePrefix, namespace) + checkedSegment('name', name);
}

/** What every key begins with. Ends in `/`. */
export function storePrefix(prefix: string): string {
  const segments = prefix.replace(/^\//, '').replace(/\/$/, '').split('/');
  for (const segment of segments) checkedSegment('prefix', segment);
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** The key of something that the system keeps for itself. */
export function internalKey(prefix: string, name: InternalKey): string {
  return `${storePrefix(prefix)}${internalSegment}/${name}`;
}

/** The key of an item that the system keeps for itself; without an item, what the keys of the collection begin with. */
export function internalItemKey(prefix: string, collection: InternalCollection, item = ''): string {
  const collectionPrefix = `${storePrefix(prefix)}${internalSegment}/${collection}/`;
  return item === '' ? collectionPrefix : collectionPrefix + checkedSegment('item', item);
}

/** `<resource>[.<group>]`. A resource has no dot, so the first dot divides the two. */
export function resourceSegment({ resource, group }: StorageLocation): string {
  if (!resourcePattern.test(resource)) throw invalidSegment('resource', resource);
  if (!groupPattern.test(group)) throw invalidSegment('group', group);
  return group === '' ? resource : `${resource}.${group}`;
}

/** Namespace and name of a key that begins with its resource's prefix; undefined where the rest is no object's. */
export function splitObjectKey(
  resourcePrefix: string,
  key: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const segments = key.slice(resourcePrefix.length).split('/');
  if (segments.length > 2 || !segments.every(isSafeSegment)) return undefined;
  const [first = '', second] = segments;
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** Whether a text can stand between two slashes of a key and mean only itself. */
export function isSafeSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !unsafeCharacter.test(text);
}

function checkedSegment(what: string, text: string): string {
  if (!isSafeSegment(text)) throw invalidSegment(what, text);
  return text;
}

function invalidSegment(what: string, text: string): StorageError {
  return new StorageError('InvalidArgument', `${what}: ${JSON.stringify(text)} cannot be part of a storage key`);
}

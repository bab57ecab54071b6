import { StorageError } from './storage-error.ts';

/**
 * The part of a catalogue row's `storage` that determines keys. The group is the full one (`apps`,
 * `networking.cl.io`).
 */
export interface StorageLocation {
  readonly group: string;
  readonly resource: string;
}

/**
 * Names of the server's own keys. They are under the prefix, so the watch on the prefix shows their
 * writes.
 */
type InternalKey = 'identifiers' | 'compaction' | 'progress';

/** Collections of the server's own keys. */
export type InternalCollection = 'cluster-ips' | 'node-ports' | 'servers' | 'peers';

/** The path segment of internal keys. No resource can have this name. */
const internalSegment = '~';

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const resourcePattern = new RegExp(`^${label}$`);
const groupPattern = new RegExp(`^(?:${label}(?:\\.${label})*)?$`);
/**
 * Slashes; NUL, which is used to make the next key; and lone surrogates, which have no UTF-8
 * encoding of their own.
 */
const unsafeCharacter = /[/\0\p{Surrogate}]/u;

/**
 * The key of an object: `<prefix>/<resource>[.<group>]/<namespace>/<name>`; cluster-scoped objects
 * (namespace '') have no namespace segment. Throws InvalidArgument for a name or namespace that
 * could address another key.
 */
export function objectKey(prefix: string, location: StorageLocation, namespace: string, name: string): string {
  return objectsPrefix(prefix, location, namespace) + checkedSegment('name', name);
}

/** The key prefix of a resource, in one namespace or (namespace '') in all. Ends in `/`. */
export function objectsPrefix(prefix: string, location: StorageLocation, namespace: string): string {
  return namespacePrefix(`${storePrefix(prefix)}${resourceSegment(location)}/`, namespace);
}

/** `objectsPrefix` for a known prefix of the resource. */
export function namespacePrefix(resourcePrefix: string, namespace: string): string {
  return namespace === '' ? resourcePrefix : `${resourcePrefix}${checkedSegment('namespace', namespace)}/`;
}

/** `objectKey` for a known prefix of the resource. */
export function keyInResource(resourcePrefix: string, namespace: string, name: string): string {
  return namespacePrefix(resourcePrefix, namespace) + checkedSegment('name', name);
}

/** The prefix of all keys. Ends in `/`. */
export function storePrefix(prefix: string): string {
  const segments = prefix.replace(/^\//, '').replace(/\/$/, '').split('/');
  for (const segment of segments) checkedSegment('prefix', segment);
  return prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** The key of one of the server's own values. */
export function internalKey(prefix: string, name: InternalKey): string {
  return `${storePrefix(prefix)}${internalSegment}/${name}`;
}

/**
 * The key of an item of an internal collection; without an item, the prefix of the collection's
 * keys.
 */
export function internalItemKey(prefix: string, collection: InternalCollection, item = ''): string {
  const collectionPrefix = `${storePrefix(prefix)}${internalSegment}/${collection}/`;
  return item === '' ? collectionPrefix : collectionPrefix + checkedSegment('item', item);
}

/** True for the server's own keys, under any prefix. */
export function isInternalKey(key: string): boolean {
  return key.includes(`/${internalSegment}/`);
}

/** `<resource>[.<group>]`. A resource name has no dot, so the first dot separates the two. */
export function resourceSegment({ resource, group }: StorageLocation): string {
  if (!resourcePattern.test(resource)) throw invalidSegment('resource', resource);
  if (!groupPattern.test(group)) throw invalidSegment('group', group);
  return group === '' ? resource : `${resource}.${group}`;
}

/**
 * Splits a key with the resource's prefix into namespace and name; undefined if it is not the key
 * of an object.
 */
export function splitObjectKey(
  resourcePrefix: string,
  key: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const segments = key.slice(resourcePrefix.length).split('/');
  if (segments.length > 2 || !segments.every(isSafeSegment)) return undefined;
  const [first = '', second] = segments;
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** True if a text is valid between two slashes of a key and cannot address another key. */
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

import type { ReadContext } from '../../storage/objects/resource-reading.ts';
import { decodingOf } from '../definition/resource-definition.ts';
import type { RequestScope } from '../definition/registry.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** How the stored value of an object is read: a damaged one is Corrupt. */
export function readContextOf(
  { info, storage }: StoredResource,
  { namespace, name }: Pick<RequestScope, 'namespace' | 'name'>,
): ReadContext {
  return { namespace, name, kind: storage.kind, decoding: decodingOf(info) };
}

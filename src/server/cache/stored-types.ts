import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { resourceSegment, storePrefix } from '../../storage/port/object-key.ts';

/** The type of objects of custom resources. */
const customType = '*unstructured.Unstructured';

/**
 * Creates the function that names the type of the objects under a key as kube-apiserver does in its
 * metrics: `*core.Pod`, `*rbac.Role`. The keys of the server itself have the type `internal`.
 */
export function storedTypes(prefix: string, builtIns: readonly ResourceDefinition[]): (key: string) => string {
  const types = new Map([['~', 'internal']]);
  for (const { storage, shortGroup } of builtIns) {
    if (!storage) continue;
    const [packageName] = (shortGroup || 'core').split('.');
    types.set(resourceSegment(storage), `*${packageName}.${storage.kind}`);
  }
  const start = storePrefix(prefix).length;
  return (key) => types.get(key.slice(start, key.indexOf('/', start))) ?? customType;
}

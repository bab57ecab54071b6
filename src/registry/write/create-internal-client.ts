import type { ResourceRequest } from '../definition/stored-resource.ts';
import { equalValues } from '../../scheme/model/equal-values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import { notFound } from '../../status/status-error.ts';
import { guaranteedUpdate } from '../../storage/objects/guaranteed-update.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import { copyObject } from '../definition/resource-definition.ts';
import { deleteObject } from './delete-object.ts';
import type { InternalClient } from '../definition/internal-client.ts';
import { readContextOf } from '../versions/read-context-of.ts';
import { atStorageBorder } from '../read/storage-error-status.ts';

/** Creates an internal client for a resource, with the scope of a request. */
export function createInternalClient(request: ResourceRequest, dryRun: boolean): InternalClient {
  const { resource } = request;
  // The other resource may be cluster-scoped: a node of a namespaced request.
  const scope = resource.info.namespaced ? request.scope : { ...request.scope, namespace: '' };
  const context = (name: string) => readContextOf(resource, { namespace: scope.namespace, name });
  const keyOf = (name: string): string => objectKey(resource.prefix, resource.storage, scope.namespace, name);
  const within = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    atStorageBorder({ subject: resource.subject, name }, work);
  return {
    get: async (name) => {
      const found = await within(name, async () => {
        const { current } = await resource.store.get(keyOf(name), { signal: scope.cancellation.signal });
        return current && cachedObject(current, context(name)).decode();
      });
      if (!found) throw notFound(resource.subject, name);
      return found;
    },
    async *list() {
      const query = { namespace: scope.namespace, at: { kind: 'latest' }, limit: 0 } as const;
      const { objects } = await within('', () => resource.cache.list(query, scope.cancellation.signal));
      for (const object of objects) yield object.decode();
    },
    change: async (name, transform) => {
      await within(name, () =>
        guaranteedUpdate({
          store: resource.store,
          key: keyOf(name),
          context: context(name),
          suggestion: resource.cache.suggest(scope.namespace, name),
          transform: (current) => {
            if (!current) throw notFound(resource.subject, name);
            const old = resource.recent.treeOf(current);
            const object = copyObject(old);
            transform(object);
            // Decoding restores the field order of other writes.
            const { value } = decodeObject(resource.storageVersion.schema, object);
            return { action: 'put', value: shareEqualParts(value, old) };
          },
          written: (stored) => resource.cache.written(stored),
          recent: resource.recent,
          dryRun,
          signal: scope.cancellation.signal,
        }),
      );
    },
    delete: async (name, options) => {
      // Without admission, as in kube-apiserver; see `InternalClient`.
      await deleteObject({
        resource: { ...resource, admission: [] },
        scope: { ...scope, name, subresource: '' },
        options: { ...options, dryRun },
      });
    },
  };
}

/** Replaces parts by equal parts of `old`, whose JSON is known. */
function shareEqualParts(object: JsonObject, old: JsonObject): JsonObject {
  for (const [name, part] of Object.entries(object)) {
    const before = old[name];
    if (before !== undefined && equalValues(part, before)) object[name] = before;
  }
  return object;
}

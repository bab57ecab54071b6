import type { ServerOptions } from '../../config/server-options.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { isSince } from '../../scheme/api-release.ts';
import { resourceSegment, storePrefix } from '../../storage/port/object-key.ts';
import type { TypeLabels } from '../../storage/port/measured-store.ts';

/** The type label of custom resources. */
const customType = '*unstructured.Unstructured';

/** The key segment of the server's internal objects. */
const internalSegment = '~';

/**
 * The type labels of store metrics, as in kube-apiserver: since 1.34 group and resource, before
 * that the Go type: `*core.Pod`, `*rbac.Role`.
 */
export function typeLabels(
  { prefix, emulatedRelease }: Pick<ServerOptions, 'prefix' | 'emulatedRelease'>,
  builtIns: readonly ResourceDefinition[],
): TypeLabels {
  const start = storePrefix(prefix).length;
  const segmentOf = (key: string): string => key.slice(start, key.indexOf('/', start));
  const types = new Map([[internalSegment, 'internal']]);
  for (const { storage, shortGroup } of builtIns) {
    if (!storage) continue;
    const [packageName] = (shortGroup || 'core').split('.');
    types.set(resourceSegment(storage), `*${packageName}.${storage.kind}`);
  }
  const goTypeOf = (key: string): string => types.get(segmentOf(key)) ?? customType;
  return isSince(emulatedRelease, '1.34')
    ? { names: ['group', 'resource'], typeOf: segmentOf, valuesOf: groupAndResource, goTypeOf }
    : { names: ['type'], typeOf: goTypeOf, valuesOf: (type) => [type], goTypeOf };
}

/** Splits `deployments.apps`. Internal keys of the server have the resource `internal`. */
function groupAndResource(segment: string): readonly string[] {
  if (segment === internalSegment) return ['', 'internal'];
  const end = segment.indexOf('.');
  return end < 0 ? ['', segment] : [segment.slice(end + 1), segment.slice(0, end)];
}

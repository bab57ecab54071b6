import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { hasPath } from './field-set.ts';
import { decodeManagers, encodeManagers, type Manager, sameManager } from './managed-fields.ts';
import type { PathElement } from './path-element.ts';

/** A write by one manager, as an Update. */
interface OwnerWrite extends Pick<Manager, 'name' | 'apiVersion' | 'subresource' | 'time'> {
  /** The paths of the changed values. */
  readonly paths: readonly (readonly PathElement[])[];
}

/**
 * Returns the list of managers after a write of values that its manager alone owns: nobody gains or
 * loses a field, only the time of the manager changes. Undefined if that is not so.
 */
export function refreshOwner(list: JsonValue | undefined, write: OwnerWrite): readonly JsonObject[] | undefined {
  const { paths, ...rest } = write;
  const managers = decodeManagers(list);
  const isWriter = (manager: Manager): boolean => sameManager(manager, { ...manager, ...rest, operation: 'Update' });
  const owns = ({ fields }: Manager): boolean => paths.some((path) => hasPath(fields, path));
  const own = managers?.find(isWriter);
  if (!managers || !own || !paths.every((path) => hasPath(own.fields, path))) return undefined;
  if (managers.some((manager) => manager !== own && owns(manager))) return undefined;
  return encodeManagers(managers.map((manager) => (manager === own ? { ...own, time: rest.time } : manager)));
}

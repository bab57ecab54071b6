import type { CustomResourceSubresourceScale } from '../../gen/stored/apiextensions-v1.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectAt } from '../../meta/read-field.ts';
import type { SubresourceStrategy } from '../../registry/definition/strategy.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import { fieldsOfPath } from './custom-fields.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/**
 * The sub-resource `scale` of a custom resource, whose definition says in which fields the replicas
 * and the selector are: `.spec.replicas`. `missing` is the subject of NotFound.
 */
export function customScale(
  { specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  missing: StatusSubject,
): SubresourceStrategy {
  const replicas = fieldsOfPath(specReplicasPath);
  const current = fieldsOfPath(statusReplicasPath);
  const selector = fieldsOfPath(labelSelectorPath);
  return {
    view: {
      field: replicas,
      missing,
      checkedAsParent: true,
      read: (object) => {
        const text = valueAt(object, selector);
        return {
          spec: specOf(countAt(object, replicas)),
          status: {
            replicas: countAt(object, current),
            ...(typeof text === 'string' && text !== '' ? { selector: text } : {}),
          },
        };
      },
      write: (view, object) => {
        const parent = replicas.slice(0, -1).reduce((part, name) => makeObjectAt(part, name), object);
        const last = replicas.at(-1);
        if (last !== undefined) parent[last] = numberAt(objectAt(view, 'spec'), 'replicas') ?? 0;
      },
    },
  };
}

/** Errors of the replicas in an object, whichever way they were written. */
export function scaleErrors(
  { specReplicasPath, statusReplicasPath }: CustomResourceSubresourceScale,
  object: JsonObject,
): readonly FieldError[] {
  return [specReplicasPath, statusReplicasPath].flatMap((path) => {
    const value = valueAt(object, fieldsOfPath(path));
    if (typeof value !== 'number' || value >= 0) return [];
    return [invalid(path, value, 'should be a non-negative integer')];
  });
}

function valueAt(object: JsonObject, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return undefined;
  const value = getOwn(object, name);
  if (rest.length === 0) return value;
  return isJsonObject(value) ? valueAt(value, rest) : undefined;
}

function countAt(object: JsonObject, path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

/** Zero replicas are left out, as kube-apiserver does. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

import type { CustomResourceSubresourceScale } from '../../gen/stored/apiextensions-v1.ts';
import { goText, goType } from '../../meta/go-value.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { makeObjectAt, numberAt, objectAt } from '../../meta/read-field.ts';
import type { SubresourceStrategy } from '../../registry/definition/strategy.ts';
import { noErrors } from '../../status/all-errors.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { badRequest, StatusError, type StatusSubject } from '../../status/status-error.ts';

/** An impossible number of replicas, which marks a view of an object without replicas. */
const unset = -(2 ** 31);

const greatest = 2 ** 31 - 1;

/**
 * The sub-resource `scale` of a custom resource. Its definition names the fields of the replicas
 * and the selector: `.spec.replicas`. `missing` is the subject of NotFound.
 */
export function customScale(declared: CustomResourceSubresourceScale, missing: StatusSubject): SubresourceStrategy {
  const { specReplicasPath } = declared;
  const replicas = fieldsOfPath(specReplicasPath);
  const isUnset = (object: JsonObject): boolean => valueAt(object, replicas) === undefined;
  return {
    view: {
      field: replicas,
      missing,
      checkedAsParent: true,
      read: (object) => scaleOf(declared, object, specOf(countAt(object, replicas))),
      write: (view, object) => {
        const parent = replicas.slice(0, -1).reduce((part, name) => makeObjectAt(part, name), object);
        const last = replicas.at(-1);
        if (last !== undefined) parent[last] = numberAt(objectAt(view, 'spec'), 'replicas') ?? 0;
      },
      absence: {
        checkFound: (object) => {
          if (isUnset(object))
            throw internal(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
        },
        begin: (object) =>
          scaleOf(declared, object, isUnset(object) ? { replicas: unset } : specOf(countAt(object, replicas))),
        checkSent: (view) => {
          if (numberAt(objectAt(view, 'spec'), 'replicas') !== unset) return;
          throw badRequest(`the spec replicas field ${JSON.stringify(specReplicasPath)} cannot be empty`);
        },
      },
    },
  };
}

function internal(message: string): StatusError {
  return new StatusError('InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });
}

function scaleOf(
  { statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  object: JsonObject,
  spec: JsonObject,
): JsonObject {
  const text = valueAt(object, fieldsOfPath(labelSelectorPath));
  const status: JsonObject = { replicas: countAt(object, fieldsOfPath(statusReplicasPath)) };
  if (typeof text === 'string' && text !== '') status['selector'] = text;
  return { spec, status };
}

/** The errors of the fields of the scale in an object. */
export function scaleErrors(scale: CustomResourceSubresourceScale, object: JsonObject): readonly FieldError[] {
  return [...countErrors(scale.specReplicasPath, object), ...statusScaleErrors(scale, object)];
}

/** The errors of the fields of the scale that are in the status. */
export function statusScaleErrors(
  { statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  object: JsonObject,
): readonly FieldError[] {
  return [
    ...countErrors(statusReplicasPath, object),
    ...(labelSelectorPath === '' ? noErrors : typeErrors(labelSelectorPath, object, 'string')),
  ];
}

function countErrors(path: string, object: JsonObject): readonly FieldError[] {
  const errors = typeErrors(path, object, 'int64');
  if (errors.length > 0) return errors;
  const count = countAt(object, fieldsOfPath(path));
  if (count < 0) return [invalid(path, count, 'should be a non-negative integer')];
  return count > greatest ? [invalid(path, count, `should be less than or equal to ${greatest}`)] : noErrors;
}

/** The zero values that errors show in place of values of wrong types. */
const zeros = { int64: 0, string: '' } as const;

/**
 * The error of a value of a wrong type, or of a parent that is not an object, with the message of
 * kube-apiserver.
 */
function typeErrors(path: string, object: JsonObject, wanted: keyof typeof zeros): readonly FieldError[] {
  const fields = fieldsOfPath(path);
  let value: JsonValue | undefined = object;
  const wrong = (part: JsonValue, depth: number, type: string): readonly FieldError[] => {
    const at = `.${fields.slice(0, depth).join('.')}`;
    const problem = `${at} accessor error: ${goText(part)} is of the type ${goType(part)}, expected ${type}`;
    return [invalid(path, zeros[wanted], problem)];
  };
  for (const [index, name] of fields.entries()) {
    if (value === null) return noErrors;
    if (!isJsonObject(value)) return wrong(value, index + 1, 'map[string]interface{}');
    value = getOwn(value, name);
    if (value === undefined) return noErrors;
  }
  return goType(value) === wanted ? noErrors : wrong(value, fields.length, wanted);
}

/** The field names in a path such as `.spec.color`. */
export function fieldsOfPath(jsonPath: string): readonly string[] {
  return jsonPath.split('.').filter((name) => name !== '');
}

function valueAt(object: JsonObject, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return undefined;
  const value = getOwn(object, name);
  if (rest.length === 0) return value;
  return isJsonObject(value) ? valueAt(value, rest) : undefined;
}

function countAt(object: JsonObject, path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** The spec of a Scale. As in kube-apiserver zero replicas are left out. */
function specOf(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

import { equalValues } from '../../apply/equal-values.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  SelectableField as Declared,
} from '../../gen/stored/apiextensions-v1.ts';
import { getOwn, type JsonObject, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Strategy, SubresourceStrategy } from '../../registry/definition/strategy.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';
import { embeddedObjectErrors } from './embedded-objects.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import { makeObjectAt, numberAt, objectAt } from '../../meta/read-field.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** The strategy of a version of a custom resource, as the definition declares it. */
export function customStrategy(
  subject: StatusSubject,
  declared: CustomResourceDefinitionVersion,
  schema: () => ObjectSchema,
): Strategy {
  const { scale, status } = declared.subresources ?? {};
  const hasStatus = status !== undefined;
  const subresources: Record<string, SubresourceStrategy> = {
    ...(hasStatus ? { status: keepMetadata() } : {}),
    ...(scale ? { scale: customScale(scale, subject) } : {}),
  };
  return {
    plainFinalizers: true,
    generation: true,
    // Without the sub-resource, the status is a field like others.
    raisesGeneration: (object, old) => differs(object, old, hasStatus ? ['metadata', 'status'] : ['metadata']),
    allowUnconditionalUpdate: false,
    validate: (object) => {
      const { structural } = schema();
      const embedded = structural ? embeddedObjectErrors(structural, object) : noErrors;
      return scale ? allErrors(embedded, scaleErrors(scale, object)) : embedded;
    },
    ...customFields(declared),
    subresources,
  };
}

/**
 * Reports whether two objects differ in other fields than these. A missing field, null and an empty
 * list are three values, unlike in built-in kinds.
 */
function differs(object: JsonObject, old: JsonObject, ignored: readonly string[]): boolean {
  const names = [...Object.keys(object), ...Object.keys(old)];
  return names.some((name) => !ignored.includes(name) && !equalValues(getOwn(object, name), getOwn(old, name)));
}

/**
 * The sub-resource `scale` of a custom resource, whose definition says in which fields the replicas
 * and the selector are: `.spec.replicas`. `missing` is the subject of NotFound.
 */
function customScale(
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
function scaleErrors(
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

/** A field that selectors may name, by its path in objects. */
interface SelectableField {
  readonly name: string;
  readonly path: readonly string[];
}

/** The selectable fields of a version of a custom resource (`selectableFields`). */
function customFields({
  selectableFields: declared = [],
}: CustomResourceDefinitionVersion): Required<Pick<Strategy, 'selectableFields' | 'fieldsOf'>> {
  const fields = declared.map(fieldOf);
  return {
    selectableFields: fields.map(({ name }) => name),
    fieldsOf: (object) => Object.fromEntries(fields.map(({ name, path }) => [name, textAt(object, path)])),
  };
}

function fieldOf({ jsonPath }: Declared): SelectableField {
  const path = fieldsOfPath(jsonPath);
  return { name: path.join('.'), path };
}

/** The names in a path such as `.spec.color`. */
function fieldsOfPath(jsonPath: string): readonly string[] {
  return jsonPath.split('.').filter((name) => name !== '');
}

/** The text of a string, a number or a boolean; '' for everything else. */
function textAt(object: JsonObject, path: readonly string[]): string {
  const value = path.reduce<JsonValue | undefined>(
    (part, name) => (part !== undefined && isJsonObject(part) ? getOwn(part, name) : undefined),
    object,
  );
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

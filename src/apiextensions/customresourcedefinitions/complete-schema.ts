import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt, objectsAt } from '../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, required } from '../../status/field-error.ts';

/**
 * Checks that each part which `allOf`, `anyOf`, `oneOf` or `not` restricts is defined in the schema
 * itself. A rule of structural schemas.
 */
export function checkCompleteness(path: string, schema: JsonObject): readonly FieldError[] {
  return narrowed(schema, schema, path, path);
}

function narrowed(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  schemaPath: string,
  path: string,
): readonly FieldError[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    objectsAt(restriction, name).map((part, index) => [`${path}.${name}[${index}]`, part] as const),
  );
  const not = getOwn(restriction, 'not');
  return allErrors(
    isObject(not) ? restricted(not, schema, schemaPath, `${path}.not`) : noErrors,
    errorsOfEach(lists, ([at, part]) => restricted(part, schema, schemaPath, at)),
  );
}

function restricted(
  restriction: JsonObject,
  schema: JsonObject | undefined,
  schemaPath: string,
  path: string,
): readonly FieldError[] {
  if (!schema) return [required(schemaPath, `because it is defined in ${path}`)];
  const items = getOwn(restriction, 'items');
  const properties = objectAt(schema, 'properties');
  return allErrors(
    narrowed(restriction, schema, schemaPath, path),
    isObject(items) ? restricted(items, partOf(schema, 'items'), `${schemaPath}.items`, `${path}.items`) : noErrors,
    errorsOfEach(Object.entries(objectAt(restriction, 'properties')), ([name, part]) => {
      const step = `.properties[${name}]`;
      return isObject(part) ? restricted(part, partOf(properties, name), schemaPath + step, path + step) : noErrors;
    }),
  );
}

function partOf(schema: JsonObject, name: string): JsonObject | undefined {
  const part = getOwn(schema, name);
  return isObject(part) ? part : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

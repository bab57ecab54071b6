import type { JsonObject } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { noErrors } from '../../status/all-errors.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { extensionOf } from '../../scheme/model/structural-schema.ts';

const mapTypes = ['atomic', 'granular'];

/** Checks `map-type`: only objects may have it. */
export function checkMapType(path: string, schema: JsonObject): readonly FieldError[] {
  const extension = extensionOf(schema, 'map-type');
  if (extension === undefined) return noErrors;
  const mapType = stringAt(schema, extension);
  return [
    ...checkTypeFor(path, schema, 'object', `${extension} is specified`),
    ...(mapTypes.includes(mapType) ? [] : [notSupported(`${path}.${extension}`, mapType, mapTypes)]),
  ];
}

/** Checks the type that another part of the schema requires. `cause` names that part. */
export function checkTypeFor(path: string, schema: JsonObject, expected: string, cause: string): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const why = `must be ${expected} if ${cause}`;
  if (type === expected) return noErrors;
  return [type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why)];
}

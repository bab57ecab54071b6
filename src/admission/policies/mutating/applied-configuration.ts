import { checkApplied } from '../../../apply/check-applied.ts';
import { mergeValues } from '../../../apply/merge-values.ts';
import { partSchema } from '../../../apply/part-schema.ts';
import { isOpen } from '../../../apply/path-element.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../scheme/model/schema.ts';
import { nonJsonProblems } from './non-json-problems.ts';
import { MutationError } from './mutation-error.ts';
import type { ObjectFields } from './object-fields.ts';

/**
 * Merges the fields that a policy sets into an object. The fields must not include lists, maps or
 * structs that are owned as a whole: members that the policy does not name would be lost. Throws
 * `MutationError`.
 */
export function mergeConfiguration(schema: ObjectSchema, object: JsonObject, made: ObjectFields): JsonValue {
  const { apiVersion = '', kind = '' } = object;
  const fields: JsonObject = { ...made.fields, apiVersion, kind };
  const nonJson = nonJsonProblems(schema, { ...made, fields });
  const problems = nonJson.length > 0 ? nonJson : checkApplied(schema, fields).problems;
  if (problems.length > 0) {
    const why =
      problems.length === 1 ? problems[0] : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
    throw new MutationError(`error applying patch: failed to convert patch object to typed object: ${why}`);
  }
  const whole: string[] = [];
  findWhole(schema, fields, '', whole);
  if (whole.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${whole.join(', ')}`;
    throw new MutationError(`error applying patch: invalid ApplyConfiguration: ${why}`);
  }
  return mergeValues(schema, object, fields);
}

/** Finds the paths of values that are owned as a whole. The values have the types of the schema. */
function findWhole(schema: Schema, value: JsonValue, path: string, found: string[]): void {
  if (schema.type === 'list' && Array.isArray(value)) {
    if (!isOpen(schema)) found.push(path);
    for (const [index, item] of value.entries()) findWhole(schema.items, item, `${path}[${index}]`, found);
  } else if ((schema.type === 'object' || schema.type === 'map') && isJsonObject(value)) {
    if (!isOpen(schema)) found.push(path);
    for (const [key, part] of Object.entries(value)) {
      const ofPart = partSchema(schema, key);
      if (ofPart) findWhole(ofPart, part, `${path}.${key}`, found);
    }
  }
}

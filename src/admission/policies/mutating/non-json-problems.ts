import { partSchema } from '../../../apply/part-schema.ts';
import { fieldElement, itemElement, type PathElement } from '../../../apply/path-element.ts';
import { pathText } from '../../../apply/path-text.ts';
import { type CelValue, typeNameOf } from '../../../cel/values/cel-value.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../scheme/model/schema.ts';
import { shownValue } from '../../../status/shown-value.ts';
import type { NonJsonValue, ObjectFields } from './object-fields.ts';

/** The errors of the values of a made object that are not JSON, by their JSON forms and types. */
export function nonJsonProblems(schema: ObjectSchema, { fields, nonJson }: ObjectFields): readonly string[] {
  return nonJson.map((one) => problemOf(schema, fields, one));
}

function problemOf(root: ObjectSchema, fields: JsonObject, { path, value }: NonJsonValue): string {
  const elements: PathElement[] = [];
  let schema: Schema = root;
  let json: JsonValue = fields;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (typeof step === 'string') {
      const part: Schema | undefined =
        schema.type === 'object' || schema.type === 'map' ? partSchema(schema, step) : undefined;
      elements.push(fieldElement(step));
      if (!part) return `${pathText(elements)}: field not declared in schema`;
      schema = part;
      json = isJsonObject(json) ? (getOwn(json, step) ?? null) : null;
    } else {
      const item: JsonValue = Array.isArray(json) ? (json[step] ?? null) : null;
      if (schema.type === 'list') {
        if (isLast && schema.listType === 'map') {
          return `${pathText(elements)}: element ${step}: associative list with keys may not have non-map elements`;
        }
        const isKnown = !isLast && schema.listType !== 'atomic';
        const unknown = schema.listType === 'atomic' ? `i:${step}` : 'v:{{undefined}}';
        elements.push((isKnown ? itemElement(schema, item) : undefined) ?? unknown);
        schema = schema.items;
      } else elements.push(`i:${step}`);
      json = item;
    }
  }
  return `${pathText(elements)}: ${refusalOf(schema, json, value)}`;
}

function refusalOf({ type }: Schema, json: JsonValue, value: CelValue): string {
  const given = typeNameOf(value);
  return numbers.has(type)
    ? `expected numeric (int or float), got ${given}`
    : `expected ${wanted[type] ?? 'any scalar'}, got ${shownValue(json)} of type ${given}`;
}

const numbers: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'uint64', 'double']);

/** The names of types in errors; other types are `any scalar`. */
const wanted: Readonly<Record<string, string>> = {
  list: 'list',
  bool: 'boolean',
  string: 'string',
  bytes: 'string',
  object: 'map',
  map: 'map',
  any: 'map',
};

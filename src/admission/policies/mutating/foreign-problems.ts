import { partSchema } from '../../../apply/part-schema.ts';
import { fieldElement, itemElement, type PathElement } from '../../../apply/path-element.ts';
import { pathText } from '../../../apply/path-text.ts';
import type { CelValue } from '../../../cel/values/cel-value.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../scheme/model/schema.ts';
import { foreignSyntax, foreignType, shownForeign } from './foreign-words.ts';
import type { ForeignValue, NativeObject } from './native-values.ts';

/** The errors of the foreign values of a made object, in the words of kube-apiserver. */
export function foreignProblems(schema: ObjectSchema, { fields, foreign }: NativeObject): readonly string[] {
  return foreign.map((one) => problemOf(schema, fields, one));
}

function problemOf(root: ObjectSchema, fields: JsonObject, { path, value }: ForeignValue): string {
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
  return `${pathText(elements)}: ${refusalOf(schema, value)}`;
}

const numbers: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'uint64', 'double']);

function refusalOf({ type }: Schema, value: CelValue): string {
  const shown = `got &{${shownForeign(value)}}`;
  if (type === 'list') return `expected list, ${shown}`;
  if (numbers.has(type)) return `expected numeric (int or float), got ${foreignType(value)}`;
  if (type === 'bool') return `expected boolean, ${shown}`;
  if (type === 'string' || type === 'bytes') {
    return `expected string, got &value.valueUnstructured{Value:${foreignSyntax(value)}}`;
  }
  return type === 'object' || type === 'map' || type === 'any'
    ? `expected map, ${shown}`
    : `expected any scalar, ${shown}`;
}

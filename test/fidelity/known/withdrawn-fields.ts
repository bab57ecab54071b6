import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { Exchange, FieldNames } from './known-difference.ts';
import { fieldAt, leavesOf, schemaAt } from './field-trees.ts';
import { documentOf, liveBefore } from './live-object.ts';

/**
 * The outermost optional parts of the object that an apply leaves out although its manager applied something in them
 * before.
 */
export function withdrawnFields(exchange: Exchange): readonly FieldNames[] {
  return withdrawnParts(exchange).map(({ outermost }) => outermost);
}

/** The fields that a manager applied before and an apply of it leaves out, alone or with what they are in. */
export function withdrawnLeaves(exchange: Exchange): readonly FieldNames[] {
  return withdrawnParts(exchange).map(({ leaf }) => leaf);
}

interface WithdrawnPart {
  readonly leaf: FieldNames;
  readonly outermost: FieldNames;
}

function withdrawnParts(exchange: Exchange): readonly WithdrawnPart[] {
  const { step, subject } = exchange;
  const manager = step.query?.['fieldManager'];
  const document = documentOf(step);
  const entries = valueAt(liveBefore(exchange).ours, ['metadata', 'managedFields']);
  if (!step.type?.includes('apply') || !isJsonObject(document) || !Array.isArray(entries)) return [];
  const own = entries.filter((entry) => textAt(entry, ['manager']) === manager && isApply(entry));
  return own
    .flatMap((entry) => leavesOf(valueAt(entry, ['fieldsV1']) ?? {}))
    .flatMap((leaf) => {
      const outermost = withdrawnTop(leaf, document, subject.schema);
      return outermost ? [{ leaf: namesIn(leaf), outermost }] : [];
    });
}

function namesIn(leaf: readonly string[]): FieldNames {
  return leaf.filter((element) => element.startsWith('f:')).map((element) => element.slice(2));
}

function isApply(entry: JsonValue): boolean {
  return textAt(entry, ['operation']) === 'Apply';
}

function withdrawnTop(leaf: readonly string[], document: JsonObject, schema: ObjectSchema): FieldNames | undefined {
  let value: JsonValue | undefined = document;
  let type: Schema | undefined = schema;
  const names: string[] = [];
  for (const element of leaf) {
    const field = fieldAt(type, element);
    value = value === undefined ? undefined : partAt(value, element);
    type = schemaAt(type, element);
    if (element.startsWith('f:')) names.push(element.slice(2));
    const staysAnyhow = field?.alwaysPresent === true && field.schema.type === 'object';
    if (value === undefined && !staysAnyhow) return names;
  }
  return value === undefined ? names : undefined;
}

/** The part of a value that an element of a field set names. */
function partAt(value: JsonValue, element: string): JsonValue | undefined {
  if (element.startsWith('f:')) return valueAt(value, [element.slice(2)]);
  const items = Array.isArray(value) ? value : [];
  const key = JSON.parse(element.slice(2)) as JsonValue;
  if (element.startsWith('v:')) return items.find((item) => item === key);
  const keys = isJsonObject(key) ? Object.entries(key) : [];
  return items.find((item) => keys.every(([name, part]) => (valueAt(item, [name]) ?? part) === part));
}

import { getOwn, isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { type FieldPart, type FieldTree, visitFields } from './field-tree.ts';
import { findSchema, rowOf } from './schema-of.ts';
import type { Field, ObjectSchema, Schema } from './model/schema.ts';

/** Drops fields from an object, in place. `old` is the object that it replaces, if any. */
type DropFields = (object: JsonObject, old: JsonObject | undefined) => void;

/** A field whose feature gates are off. */
interface GatedField {
  readonly name: string;
  readonly gate: string;
  /** True if the field becomes an empty message instead of being deleted. */
  readonly isPresent: boolean;
}

type DisabledFields = FieldTree<GatedField>;

/**
 * Returns a function that drops the fields whose feature gates are off, as kube-apiserver does
 * before validation: without an error, and only if the old object has no field of the gate. Only
 * parts of the object that can have such fields are visited.
 */
export function disabledFieldsOf(schema: ObjectSchema, isEnabled: (gate: string) => boolean): DropFields {
  const tree = treeOf(schema, isEnabled, new Map());
  if (isEmpty(tree)) return () => {};
  return (object, old) => {
    let used: ReadonlySet<string> | undefined;
    visitFields(tree, object, (message, field) => {
      if (isUnset(message, field)) return;
      used ??= gatesIn(tree, old);
      if (used.has(field.gate)) return;
      if (field.isPresent) message[field.name] = {};
      else delete message[field.name];
    });
  };
}

/** The tree of a schema. A recursive message refers to its own unfinished tree. */
function treeOf(
  schema: ObjectSchema,
  isEnabled: (gate: string) => boolean,
  known: Map<ObjectSchema, DisabledFields>,
): DisabledFields {
  const found = known.get(schema);
  if (found) return found;
  const isOff = (gate: string): boolean => !gate.split(',').every(isEnabled);
  const fields = [...schema.fields.values()];
  const parts: FieldPart<GatedField>[] = [];
  const tree: DisabledFields = { fields: fields.flatMap((field) => gatedField(field, isOff)), parts };
  known.set(schema, tree);
  for (const { name, gate, schema: inner } of fields) {
    const message = messageIn(inner);
    if ((gate !== undefined && isOff(gate)) || !message?.gates?.some(isOff)) continue;
    const isOpen = known.has(message);
    const innerTree = treeOf(message, isEnabled, known);
    if (isOpen || !isEmpty(innerTree)) parts.push({ name, isMap: inner.type === 'map', tree: innerTree });
  }
  return tree;
}

function isEmpty({ fields, parts }: DisabledFields): boolean {
  return fields.length === 0 && parts.length === 0;
}

function gatedField(
  { name, gate, alwaysPresent: isPresent }: Field,
  isOff: (gate: string) => boolean,
): readonly GatedField[] {
  return gate !== undefined && isOff(gate) ? [{ name, gate, isPresent }] : [];
}

function messageIn(schema: Schema): ObjectSchema | undefined {
  if (schema.type === 'list') return messageIn(schema.items);
  if (schema.type === 'map') return messageIn(schema.values);
  if (schema.type === 'any' && schema.message !== undefined) return alternativeOf(schema.message);
  return schema.type === 'object' ? schema : undefined;
}

/** The message among the alternatives of a value that is either a message or another JSON value. */
function alternativeOf(messageName: string): ObjectSchema | undefined {
  const { message } = rowOf(messageName).fields.find((field) => field.message !== undefined) ?? {};
  return message === undefined ? undefined : findSchema(message);
}

/** The gates of the disabled fields that are set in an object. */
function gatesIn(tree: DisabledFields, object: JsonObject | undefined): ReadonlySet<string> {
  const gates = new Set<string>();
  if (object) visitFields(tree, object, (message, field) => void (isUnset(message, field) || gates.add(field.gate)));
  return gates;
}

/** Reports whether a field has only the empty message that every object has. */
function isUnset(message: JsonObject, { name, isPresent }: GatedField): boolean {
  const value = getOwn(message, name);
  return isPresent && value !== undefined && isJsonObject(value) && Object.keys(value).length === 0;
}

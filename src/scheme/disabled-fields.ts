import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { Field, ObjectSchema, Schema } from './model/schema.ts';

/** Drops fields from an object, in place. `old` is the object that it replaces, if any. */
type DropFields = (object: JsonObject, old: JsonObject | undefined) => void;

/** The fields of a message whose gates are off, and the parts in which there are such fields. */
interface DisabledPart {
  readonly fields: readonly GatedField[];
  readonly parts: { readonly name: string; readonly isMap: boolean; readonly part: DisabledPart }[];
}

interface GatedField {
  readonly name: string;
  readonly gate: string;
  /** True if an empty message remains, because every object has the field. */
  readonly isPresent: boolean;
}

/**
 * Returns a function that drops the fields whose feature gates are off, as kube-apiserver does
 * before it validates an object: without an error, and not if the old object uses a field of the
 * gate anywhere. It visits only the parts that have such fields; an object without them costs no
 * more than that.
 */
export function disabledFieldsOf(schema: ObjectSchema, isEnabled: (gate: string) => boolean): DropFields {
  const part = disabledPart(schema, isEnabled, new Map());
  if (part.fields.length === 0 && part.parts.length === 0) return () => {};
  return (object, old) => {
    let used: ReadonlySet<string> | undefined;
    visit(part, object, (message, { name, gate, isPresent }) => {
      used ??= gatesIn(part, old);
      if (used.has(gate)) return;
      if (isPresent) message[name] = {};
      else delete message[name];
    });
  };
}

/** A message that contains itself has the part that is being made. */
function disabledPart(
  schema: ObjectSchema,
  isEnabled: (gate: string) => boolean,
  known: Map<ObjectSchema, DisabledPart>,
): DisabledPart {
  const found = known.get(schema);
  if (found) return found;
  const isOff = (gate: string): boolean => !gate.split(',').every(isEnabled);
  const fields = [...schema.fields.values()];
  const made: DisabledPart = { fields: fields.flatMap((field) => gatedField(field, isOff)), parts: [] };
  known.set(schema, made);
  for (const { name, gate, schema: inner } of fields) {
    const message = messageIn(inner);
    if ((gate !== undefined && isOff(gate)) || !message?.gates?.some(isOff)) continue;
    const part = disabledPart(message, isEnabled, known);
    if (part.fields.length > 0 || part.parts.length > 0) made.parts.push({ name, isMap: inner.type === 'map', part });
  }
  return made;
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
  return schema.type === 'object' ? schema : undefined;
}

/** The gates with a field in an object. */
function gatesIn(part: DisabledPart, object: JsonObject | undefined): ReadonlySet<string> {
  const gates = new Set<string>();
  if (object) visit(part, object, (_message, { gate }) => gates.add(gate));
  return gates;
}

/** Calls `found` for each field that is set. */
function visit(
  { fields, parts }: DisabledPart,
  message: JsonObject,
  found: (message: JsonObject, field: GatedField) => void,
): void {
  for (const field of fields) {
    const value = getOwn(message, field.name);
    if (value !== undefined && !(field.isPresent && isEmptyObject(value))) found(message, field);
  }
  for (const { name, isMap, part } of parts) {
    const value = getOwn(message, name);
    const values = isMap && isJsonObject(value) ? Object.values(value) : [value];
    for (const one of values) visitAll(part, one, found);
  }
}

/** The messages in a list, or the one message. */
function visitAll(
  part: DisabledPart,
  value: JsonValue | undefined,
  found: (message: JsonObject, field: GatedField) => void,
): void {
  if (Array.isArray(value)) for (const item of value) visitAll(part, item, found);
  else if (isJsonObject(value)) visit(part, value, found);
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

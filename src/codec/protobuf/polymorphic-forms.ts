import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { ObjectSchema, ScalarSchema } from '../../scheme/model/schema.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { rawJsonForm, scalarForms } from './scalar-forms.ts';
import type { WireForm } from './wire-form.ts';
import { type WireReader, wireType } from './wire-reader.ts';

/** Returns the form of a nested message. */
type FormOfMessage = (schema: ObjectSchema) => WireForm;

/**
 * Returns the form of a value that may have any JSON type. Most are bytes of JSON; a schema in
 * a schema is a message with a field for each of its types.
 */
export function polymorphicForm({ message = '' }: ScalarSchema, formOfMessage: FormOfMessage): WireForm {
  const dot = message.lastIndexOf('.');
  const alternatives = messagesOfSchemas[message.slice(dot + 1)];
  if (!alternatives) return rawJsonForm;
  const schema = formOfMessage(schemaOf(`${message.slice(0, dot)}.JSONSchemaProps`));
  return alternativesForm(alternatives(schema));
}

/** The types that a value may have, by the number of the field for it. */
interface Alternative {
  readonly number: number;
  readonly form: WireForm;
  readonly matches: (value: JsonValue) => boolean;
  readonly repeated?: true;
  /** The value of a plain field that stands beside one of a higher number. */
  readonly beside?: JsonValue;
}

const messagesOfSchemas: Readonly<Record<string, (schema: WireForm) => readonly Alternative[]>> = Object.freeze({
  JSONSchemaPropsOrBool: (schema) => [
    // Go sets the flag too if there is a schema.
    { number: 1, form: scalarForms.bool, matches: (value) => typeof value === 'boolean', beside: true },
    { number: 2, form: schema, matches: isJsonObject },
  ],
  JSONSchemaPropsOrArray: (schema) => [
    { number: 1, form: schema, matches: isJsonObject },
    { number: 2, form: schema, matches: Array.isArray, repeated: true },
  ],
  JSONSchemaPropsOrStringArray: (schema) => [
    { number: 1, form: schema, matches: isJsonObject },
    { number: 2, form: scalarForms.string, matches: Array.isArray, repeated: true },
  ],
});

function alternativesForm(alternatives: readonly Alternative[]): WireForm {
  return {
    wireType: wireType.delimited,
    write: (writer, value) => {
      const before = writer.length;
      for (const alternative of alternatives.toReversed()) writeAlternative(writer, alternative, value);
      writer.varint(writer.length - before);
    },
    read: (reader, depth) => {
      const outer = reader.enter();
      let value: JsonValue | undefined;
      reader.fields((tag) => {
        const alternative = alternatives.find((candidate) => tagOf(candidate) === tag);
        if (alternative) value = readAlternative(reader, alternative, depth + 1, value);
        return alternative !== undefined;
      });
      reader.leave(outer);
      return value;
    },
  };
}

function writeAlternative(writer: ReverseWriter, alternative: Alternative, value: JsonValue): void {
  const { form, beside = null } = alternative;
  const matching = alternative.matches(value) ? value : beside;
  if (matching === null) return;
  const values = alternative.repeated && Array.isArray(matching) ? matching.toReversed() : [matching];
  for (const one of values) {
    form.write(writer, one);
    writer.varint(tagOf(alternative));
  }
}

function readAlternative(
  reader: WireReader,
  { form, repeated, beside }: Alternative,
  depth: number,
  before: JsonValue | undefined,
): JsonValue {
  const value = form.read(reader, depth, undefined) ?? null;
  if (!repeated) return beside !== undefined && isJsonObject(before) ? before : value;
  const values = Array.isArray(before) ? before : [];
  values.push(value);
  return values;
}

function tagOf({ number, form }: Alternative): number {
  return (number << 3) | form.wireType;
}

import { memoize } from '../../meta/memoize.ts';
import type { ObjectSchema, ScalarType, Schema } from '../../scheme/model/schema.ts';

/**
 * The CBOR form of the values of a schema, where it differs from JSON: bytes are not base64, and
 * integers and floating-point numbers are different types.
 */
export type CborForm =
  | { readonly type: 'bytes' | 'integer' | 'double' }
  | { readonly type: 'object'; readonly fields: ReadonlyMap<string, CborForm> }
  | { readonly type: 'each'; readonly form: CborForm };

const scalarForms: Readonly<Partial<Record<ScalarType, CborForm>>> = Object.freeze({
  bytes: { type: 'bytes' },
  int32: { type: 'integer' },
  int64: { type: 'integer' },
  uint32: { type: 'integer' },
  uint64: { type: 'integer' },
  intOrString: { type: 'integer' },
  double: { type: 'double' },
});

/** Returns the form of the objects of a schema. Fields are computed on first access. */
export const objectForm: (schema: ObjectSchema) => CborForm = memoize((schema) => {
  let fields: ReadonlyMap<string, CborForm> | undefined;
  return {
    type: 'object',
    // Lazily, because messages can be recursive.
    get fields() {
      fields ??= fieldsOf(schema);
      return fields;
    },
  };
});

function fieldsOf(schema: ObjectSchema): ReadonlyMap<string, CborForm> {
  const fields = new Map<string, CborForm>();
  for (const [name, field] of schema.fields) {
    const form = formOf(field.schema);
    if (form) fields.set(name, form);
  }
  return fields;
}

function formOf(schema: Schema): CborForm | undefined {
  if (schema.type === 'object') return objectForm(schema);
  if (schema.type === 'list') return eachOf(formOf(schema.items));
  if (schema.type === 'map') return eachOf(formOf(schema.values));
  return scalarForms[schema.type];
}

function eachOf(form: CborForm | undefined): CborForm | undefined {
  return form && { type: 'each', form };
}

/** Returns the form of a field, a map value or a list item. */
export function formWithin(form: CborForm | undefined, key: string): CborForm | undefined {
  if (form?.type === 'object') return form.fields.get(key);
  return form?.type === 'each' ? form.form : undefined;
}

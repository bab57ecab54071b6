import type { OpenApiSchema } from './open-api-schema.ts';
import type { ScalarSchema, ScalarType } from './model/schema.ts';

type OpenApiScalars = Readonly<Record<ScalarType, OpenApiSchema>>;

/** The OpenAPI types of scalars in version 2. A schema without type allows any value. */
const version2: OpenApiScalars = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint32: { type: 'integer', format: 'int64' },
  uint64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bool: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  any: {},
  fieldsV1: { type: 'object' },
};

/** The OpenAPI types of scalars, by the version of the specification. */
export const openApiScalars: Readonly<Record<2 | 3, OpenApiScalars>> = {
  2: version2,
  3: {
    ...version2,
    quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
};

/** The messages that are scalars in JSON. */
const messages: ReadonlyMap<ScalarType, string> = new Map([
  ['time', 'api.meta.v1.Time'],
  ['microTime', 'api.meta.v1.MicroTime'],
  ['duration', 'api.meta.v1.Duration'],
  ['fieldsV1', 'api.meta.v1.FieldsV1'],
  ['quantity', 'api.quantity.v1.Quantity'],
  ['intOrString', 'api.intstr.v1.IntOrString'],
]);

/** Returns the full name of a scalar's message; undefined for a scalar of Protobuf. */
export function scalarMessage({ type, message }: ScalarSchema): string | undefined {
  return message ?? messages.get(type);
}

import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { formatPath, keyStep, type PathStep } from './model/field-path.ts';
import type { Schema } from './model/schema.ts';

/** A value in a document with its schema. */
export interface Visited {
  readonly schema: Schema;
  readonly value: JsonValue;
  /** Formats the path, such as `spec.containers[0]`; computed on call. */
  readonly path: () => string;
}

/**
 * Visits a value and all values below it that the schema knows, parents first, in schema order.
 * If `visit` returns false, the parts of the value are skipped. Nulls and values of the wrong type
 * have no parts.
 */
export function walk(schema: Schema, value: JsonValue, visit: (visited: Visited) => boolean | undefined): void {
  const steps: PathStep[] = [];
  step(schema, value);

  function step(at: Schema, current: JsonValue): void {
    const here = steps.length;
    if (visit({ schema: at, value: current, path: () => formatPath('', steps.slice(0, here)) }) === false) return;
    for (const [name, inner, part] of partsOf(at, current)) {
      steps.push(name);
      step(inner, part);
      steps.pop();
    }
  }
}

function* partsOf(schema: Schema, value: JsonValue): Generator<readonly [PathStep, Schema, JsonValue]> {
  if (schema.type === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield [index, schema.items, item];
  } else if (schema.type === 'map' && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) yield [keyStep(key), schema.values, item];
  } else if (schema.type === 'object' && isJsonObject(value)) {
    for (const field of schema.fields.values()) {
      const part = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (part !== undefined) yield [field.name, field.schema, part];
    }
  }
}

import type { JsonValue } from '../../meta/json-value.ts';
import { cutText } from '../../status/shown-value.ts';
import { FieldDecodeError } from './field-decode-error.ts';
import { formatPath, type PathStep } from './format-path.ts';

/** The position of a decoder in a document, and the unknown fields found. */
export interface DecodePosition {
  /** Path of the document; '' for a whole object. */
  readonly base: string;
  /**
   * Steps from the document to the current value. Decoders push and pop; paths are formatted only
   * when needed.
   */
  readonly steps: PathStep[];
  readonly unknownFields: string[];
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint' ? `number ${cutText(String(value), 64)}` : typeof value;
}

function pathOf({ base, steps }: DecodePosition): string {
  return formatPath(base, steps);
}

/**
 * Throws a FieldDecodeError for a value of the wrong type. `wanted` is given if the expected type
 * is more specific than `type`.
 */
export function refuseType(value: JsonValue, type: string, position: DecodePosition, wanted: string = type): never {
  const path = pathOf(position);
  throw new FieldDecodeError(
    `json: cannot unmarshal ${typeName(value)} into ${path ? `field ${path}` : 'value'} of type ${type}`,
    { path, value, wanted, problem: undefined },
  );
}

/** Throws a FieldDecodeError for a string with a wrong format. */
export function refuseText(value: JsonValue, problem: string, position: DecodePosition, wanted: string): never {
  const path = pathOf(position);
  throw new FieldDecodeError(path ? `${problem} in field ${path}` : problem, { path, value, wanted, problem });
}

import type { JsonValue } from '../meta/json-value.ts';
import { cutText } from '../status/shown-value.ts';
import { DecodeError } from './decode-error.ts';
import { formatPath, type PathStep } from './field-path.ts';

/** Where a decoder stands in a document, and what it has noticed on the way. */
export interface DecodePlace {
  /** Path of the document itself, '' for a whole object. */
  readonly base: string;
  /** From the document to the value at hand; decoders push and pop, so that no path is written unless it is needed. */
  readonly steps: PathStep[];
  readonly unknownFields: string[];
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint' ? `number ${cutText(String(value), 64)}` : typeof value;
}

function pathOf({ base, steps }: DecodePlace): string {
  return formatPath(base, steps);
}

/** Refuses a value that is not of the type that its field takes; `wanted` where that is more than the type tells. */
export function refuseType(value: JsonValue, type: string, place: DecodePlace, wanted: string = type): never {
  const path = pathOf(place);
  throw new DecodeError(
    `json: cannot unmarshal ${typeName(value)} into ${path ? `field ${path}` : 'value'} of type ${type}`,
    { path, value, wanted, problem: undefined },
  );
}

/** Refuses a text that is not written as its field demands. */
export function refuseText(value: JsonValue, problem: string, place: DecodePlace, wanted: string): never {
  const path = pathOf(place);
  throw new DecodeError(path ? `${problem} in field ${path}` : problem, { path, value, wanted, problem });
}

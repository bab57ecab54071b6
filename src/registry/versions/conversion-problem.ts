import { parseQuantity } from '../../meta/quantity.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import type { Refusal } from '../../scheme/model/field-decode-error.ts';
import { shownValue } from '../../status/shown-value.ts';

/**
 * Explains why a merged document is not an object, in the words of the Go converter that
 * kube-apiserver uses after strategic merge patches and applies. The words name types but no paths.
 */
export function conversionProblem(refusal: Refusal): string {
  const { value, wanted } = refusal;
  const own = ownWords[wanted]?.(refusal);
  if (own !== undefined) return own;
  if (refusal.problem !== undefined) return refusal.problem;
  const source = goKind(value);
  return isConvertible(source, wanted) ? `cannot convert ${source} to ${wanted}` : `unrecognized type: ${wanted}`;
}

const ownWords: Readonly<Record<string, (refusal: Refusal) => string | undefined>> = {
  struct: ({ value }) => `cannot restore struct from: ${goKind(value)}`,
  map: ({ value }) => `cannot restore map from ${goKind(value)}`,
  list: ({ value }) => `cannot restore slice from ${goKind(value)}`,
  bytes: ({ value, problem }) =>
    problem === undefined ? `cannot restore slice from ${goKind(value)}` : `error decoding from json: ${problem}`,
  quantity: ({ value, problem }) => problem ?? quantityProblem(value),
  intOrString: ({ value }) => unmarshalProblem(value, 'int32'),
  time: ({ value, problem }) => problem ?? unmarshalProblem(value, 'string'),
  duration: ({ value, problem }) => problem ?? unmarshalProblem(value, 'string'),
};

/** The types below have their own UnmarshalJSON, which gets the JSON text of any value. */
function quantityProblem(value: JsonValue): string | undefined {
  const quantity = parseQuantity(typeof value === 'boolean' ? String(value) : '{}');
  return 'error' in quantity ? quantity.error : undefined;
}

function unmarshalProblem(value: JsonValue, type: string): string {
  const kinds: Readonly<Record<string, string>> = { int64: 'number', float64: 'number', map: 'object', slice: 'array' };
  const kind = goKind(value);
  const shown = kind === 'float64' && type !== 'string' ? ` ${shownValue(value)}` : '';
  return `json: cannot unmarshal ${kinds[kind] ?? kind}${shown} into Go value of type ${type}`;
}

/** Integers convert to any number and, as in Go, to strings; floats convert to numbers. */
function isConvertible(source: string, wanted: string): boolean {
  const isNumber = /int|float/.test(wanted);
  return source === 'int64' ? isNumber || wanted === 'string' : source === 'float64' && isNumber;
}

const int64Limit = 2n ** 63n;

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'bigint') return value >= -int64Limit && value < int64Limit ? 'int64' : 'float64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}

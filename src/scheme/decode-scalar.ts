import { normaliseDuration } from '../meta/duration.ts';
import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { formatQuantity, parseQuantity, type Quantity, roundUpToThousandths } from '../meta/quantity.ts';
import { normaliseMicroTime, normaliseTime } from '../meta/time.ts';
import { type DecodePosition, refuseText, refuseType } from './model/decode-position.ts';
import type { ScalarType } from './model/schema.ts';

/** Validates a value that is not null and returns its canonical form; throws a DecodeError. */
export type Decode = (value: JsonValue, position: DecodePosition) => JsonValue;

/** The decoders of all scalar types. */
export const scalarDecoders: Readonly<Record<ScalarType, Decode>> = Object.freeze({
  string: (value, position) => (typeof value === 'string' ? value : refuseType(value, 'string', position)),
  bool: (value, position) => (typeof value === 'boolean' ? value : refuseType(value, 'bool', position)),
  int32: integerDecoder('int32', -(2n ** 31n), 2n ** 31n - 1n),
  int64: integerDecoder('int64', -(2n ** 63n), 2n ** 63n - 1n),
  uint32: integerDecoder('uint32', 0n, 2n ** 32n - 1n),
  uint64: integerDecoder('uint64', 0n, 2n ** 64n - 1n),
  double: decodeDouble,
  bytes: decodeBytes,
  time: textDecoder('time', normaliseTime, (text) => `parsing time "${text}": not an RFC 3339 time`),
  microTime: textDecoder(
    'time',
    normaliseMicroTime,
    (text) => `parsing time "${text}": not an RFC 3339 time with six decimals`,
  ),
  duration: textDecoder('duration', normaliseDuration, (text) => `time: invalid duration "${text}"`),
  quantity: decodeQuantity,
  intOrString: (value, position) => (typeof value === 'string' ? value : decodeIntOfString(value, position)),
  any: (value) => value,
  fieldsV1: (value, position) => (isJsonObject(value) ? value : refuseType(value, 'object', position, 'map')),
});

/** The decoder of an `any` of a message; most are any JSON. */
export function anyDecoder(message = ''): Decode {
  return message.endsWith('.JSONSchemaPropsOrBool') ? decodeSchemaOrBool : scalarDecoders.any;
}

function decodeSchemaOrBool(value: JsonValue, position: DecodePosition): JsonValue {
  const isEither = typeof value === 'boolean' || isJsonObject(value);
  return isEither ? value : refuseText(value, 'boolean or JSON schema expected', position, 'schemaOrBool');
}

/** Longer texts are cut in messages. */
const shownTextLimit = 256;

const decodeIntOfString = integerDecoder('int32', -(2n ** 31n), 2n ** 31n - 1n, 'intOrString');

function integerDecoder(type: ScalarType, minimum: bigint, maximum: bigint, wanted = type): Decode {
  return (value, position) => {
    // Adding zero turns -0 into 0, which is its serialized form.
    if (Number.isSafeInteger(value) && fits(value as number)) return (value as number) + 0;
    if (typeof value === 'bigint' && fits(value)) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return refuseType(value, type, position, wanted);
  };
  function fits(value: number | bigint): boolean {
    return value >= minimum && value <= maximum;
  }
}

function decodeDouble(value: JsonValue, position: DecodePosition): JsonValue {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'bigint' ? Number(value) : refuseType(value, 'float64', position);
}

function textDecoder(
  type: string,
  normalise: (text: string) => string | undefined,
  problem: (text: string) => string,
): Decode {
  return (value, position) => {
    if (typeof value !== 'string') return refuseType(value, type, position);
    return normalise(value) ?? refuseText(value, problem(value.slice(0, shownTextLimit)), position, type);
  };
}

/** Parses a quantity; it may be a JSON number or have spaces around it. */
function readQuantity(value: JsonValue, position: DecodePosition): Quantity {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    return refuseType(value, 'quantity', position);
  }
  const quantity = parseQuantity(String(value).replaceAll(spaceAround, ''));
  return 'error' in quantity ? refuseText(value, quantity.error, position, 'quantity') : quantity;
}

/** Spaces that may occur unescaped in JSON. kube-apiserver does not trim escaped ones. */
const spaceAround = /^[\p{Z}\u0085]+|[\p{Z}\u0085]+$/gu;

function decodeQuantity(value: JsonValue, position: DecodePosition): JsonValue {
  return formatQuantity(readQuantity(value, position));
}

/** Decodes a quantity in a list of resources, which is rounded to thousandths. */
export function decodeAmount(value: JsonValue, position: DecodePosition): JsonValue {
  return formatQuantity(roundUpToThousandths(readQuantity(value, position)));
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The index that kube-apiserver names for a text that is not base64. */
function corruptByte(text: string): number {
  const end = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const inGroup = end % 4;
  // The last group is too short: its start.
  if (end === text.length) return end - inGroup;
  if (text[end] !== '=' || inGroup < 2) return end;
  if (inGroup === 3) return end + 1;
  // Of two padding characters the second is missing at the end, another one, or followed by more.
  if (end + 1 === text.length) return text.length;
  return text[end + 1] === '=' ? end + 2 : end;
}

/** Decodes standard base64 with padding (RFC 4648 section 4). Line breaks are removed. */
function decodeBytes(value: JsonValue, position: DecodePosition): JsonValue {
  if (typeof value !== 'string') return refuseType(value, 'bytes', position);
  const text = value.includes('\n') || value.includes('\r') ? value.replaceAll(/[\r\n]/g, '') : value;
  if (text.length % 4 !== 0 || !base64.test(text)) {
    return refuseText(value, `illegal base64 data at input byte ${corruptByte(text)}`, position, 'bytes');
  }
  // Unused bits before the padding may be set; the canonical text clears them, so that equal bytes
  // are equal texts.
  return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
}

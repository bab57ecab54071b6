import { formatInstant, parseInstant } from '../../meta/time.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { DecodeError } from '../decode-error.ts';

/** The tags of times: an RFC 3339 text, and seconds since 1970 (RFC 8949, section 3.4). */
export const timeTag = Object.freeze({ text: 0, seconds: 1 });

const nanosecondDigits = 9;
const nanosecondsOfSecond = 10 ** nanosecondDigits;

/** The longest part of a time in messages. */
const shownTextLimit = 64;

/**
 * Returns the RFC 3339 text of a tagged time, in the shortest exact form. `content` is the tagged
 * item, `type` the name of its type. Throws `DecodeError` if it is not a time.
 */
export function taggedTime(tag: number, content: JsonValue, type: string): string {
  if (tag === timeTag.text) {
    if (typeof content === 'string' && type === 'UTF-8 text string') return shortened(content);
    throw new DecodeError(`cbor: tag number ${tag} must be followed by text string, got ${type}`);
  }
  if (typeof content === 'number' && type !== 'tag') return timeAt(content);
  if (typeof content === 'bigint') throw outOfRange();
  throw new DecodeError(`cbor: tag number ${tag} must be followed by integer or floating-point number, got ${type}`);
}

/** Formats a time as Go does: no trailing zeros in the fraction, and Z for UTC. */
function shortened(text: string): string {
  if (!parseInstant(text)) {
    throw new DecodeError(`cbor: cannot set ${text.slice(0, shownTextLimit)} for time.Time: not an RFC 3339 time`);
  }
  return text
    .replace(/[.,](\d*?)0*(?=[Z+-])/, (_, digits: string) => (digits === '' ? '' : `.${digits}`))
    .replace(/[+-]00:00$/, 'Z');
}

function timeAt(time: number): string {
  const seconds = Math.trunc(time);
  // Truncated towards zero, as in Go.
  const nanoseconds = Math.trunc((time - seconds) * nanosecondsOfSecond);
  const borrowed = nanoseconds < 0 ? 1 : 0;
  const text = formatInstant(seconds - borrowed, 0);
  if (text === undefined) throw outOfRange();
  const digits = String(nanoseconds + borrowed * nanosecondsOfSecond).padStart(nanosecondDigits, '0');
  const fraction = digits.replace(/0+$/, '');
  return fraction === '' ? text : text.replace('Z', `.${fraction}Z`);
}

function outOfRange(): DecodeError {
  return new DecodeError('cbor: decoded time cannot be represented in RFC3339 format with sub-second precision');
}

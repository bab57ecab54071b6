import { toUSVString } from 'node:util';
import { getOwn, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { JsonDecodeError } from './decode-error.ts';
import { depthLimit } from '../json/scan-json.ts';

/**
 * A parsed document, with the paths of its duplicate keys. The last value of a duplicate key wins
 * and determines the position.
 */
export interface ParsedJson {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
  /** The duplicate keys of YAML as messages of Go's parser, with lines instead of paths. */
  readonly duplicateKeys?: readonly string[];
}

/** The maximum number of duplicate keys that are reported. */
const duplicateLimit = 100;

interface State {
  readonly text: string;
  at: number;
  /** The path from the root to the cursor: keys, and indices of lists. */
  readonly path: (string | number)[];
  readonly duplicates: Set<string>;
}

/**
 * Parses a document without the losses of `JSON.parse`: integers beyond 2^53 become bigint, numbers
 * out of range are refused, duplicate keys are reported, and lone surrogates become U+FFFD. Several
 * times slower than `JSON.parse`. Throws `JsonDecodeError` with the message of a Go decoder.
 */
export function parseJson(text: string): ParsedJson {
  const state: State = { text, at: 0, path: [], duplicates: new Set() };
  const value = parseValue(state);
  skipSpace(state);
  if (state.at < text.length) refuse(state, 'after top-level value');
  return { value, duplicateFields: [...state.duplicates] };
}

/** Throws the error for the character at the cursor, or for the end of the text. */
function refuse({ text, at }: State, where: string): never {
  const character = text.codePointAt(at);
  if (character === undefined) throw new JsonDecodeError('unexpected end of JSON input');
  const shown = String.fromCodePoint(character);
  const quoted = shown === "'" ? "\\'" : shown === '"' ? '"' : JSON.stringify(shown).slice(1, -1);
  throw new JsonDecodeError(`invalid character '${quoted}' ${where}`);
}

function skipSpace(state: State): void {
  for (; ; state.at++) {
    const code = state.text.charCodeAt(state.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}

const literals: Readonly<Record<string, readonly [word: string, value: JsonValue]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

function parseValue(state: State): JsonValue {
  skipSpace(state);
  const character = state.text[state.at] ?? '';
  if (character === '"') return parseString(state);
  if (character === '{') return parseObject(state);
  if (character === '[') return parseList(state);
  if (character === '-' || (character >= '0' && character <= '9')) return parseNumber(state);
  return parseLiteral(state, character);
}

function parseLiteral(state: State, first: string): JsonValue {
  const literal = Object.hasOwn(literals, first) ? literals[first] : undefined;
  if (!literal) refuse(state, 'looking for beginning of value');
  const [word, value] = literal;
  for (const expected of word) {
    if (state.text[state.at] !== expected) refuse(state, `in literal ${word} (expecting '${expected}')`);
    state.at++;
  }
  return value;
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;

/** Longer numbers are shortened to this number of characters in messages. */
const shownDigits = 40;

function parseNumber(state: State): JsonValue {
  numberPattern.lastIndex = state.at;
  const match = numberPattern.exec(state.text);
  if (!match) {
    state.at++;
    return refuse(state, 'in numeric literal');
  }
  const [digits, fraction, exponent] = match;
  state.at = numberPattern.lastIndex;
  const following = state.text[state.at] ?? '';
  if (following === '.' && fraction === undefined && exponent === undefined) {
    state.at++;
    refuse(state, 'after decimal point in numeric literal');
  }
  if ((following === 'e' || following === 'E') && exponent === undefined) {
    state.at++;
    refuse(state, 'in exponent of numeric literal');
  }
  const number = Number(digits);
  if (!Number.isFinite(number)) {
    const shown = digits.length > shownDigits ? `${digits.slice(0, shownDigits)}...` : digits;
    throw new JsonDecodeError(`json: cannot unmarshal number ${shown} into Go value of type float64`);
  }
  const integer = fraction === undefined && exponent === undefined;
  return integer && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

const escapes = '"\\/bfnrtu';

/** Moves the cursor past an escape. The cursor is at its backslash. */
function skipEscape(state: State): void {
  state.at++;
  const letter = state.text[state.at] ?? '';
  if (letter === '' || !escapes.includes(letter)) refuse(state, 'in string escape code');
  state.at++;
  if (letter !== 'u') return;
  for (const end = state.at + 4; state.at < end; state.at++) {
    if (!/^[0-9a-fA-F]$/.test(state.text[state.at] ?? '')) refuse(state, 'in \\u hexadecimal character escape');
  }
}

function parseString(state: State): string {
  const start = state.at++;
  let escaped = false;
  for (;;) {
    const code = state.text.charCodeAt(state.at);
    if (code === 0x22) break;
    if (code === 0x5c) {
      escaped = true;
      skipEscape(state);
    } else if (code >= 0x20) state.at++;
    else refuse(state, 'in string literal');
  }
  state.at++;
  if (!escaped) return state.text.slice(start + 1, state.at - 1);
  // The text was validated above: it is a JSON string.
  return toUSVString(JSON.parse(state.text.slice(start, state.at)) as string);
}

function enter(state: State): void {
  if (state.path.length >= depthLimit) throw new JsonDecodeError('exceeded max depth');
  state.at++;
  skipSpace(state);
}

function parseList(state: State): JsonValue[] {
  enter(state);
  const list: JsonValue[] = [];
  if (state.text[state.at] === ']') {
    state.at++;
    return list;
  }
  for (;;) {
    state.path.push(list.length);
    list.push(parseValue(state));
    state.path.pop();
    if (endsAt(state, ']', 'after array element')) return list;
  }
}

/** Moves past a comma or the closing bracket. Returns true for the bracket. */
function endsAt(state: State, bracket: string, where: string): boolean {
  skipSpace(state);
  const character = state.text[state.at];
  if (character !== ',' && character !== bracket) refuse(state, where);
  state.at++;
  return character === bracket;
}

function parseKey(state: State): string {
  skipSpace(state);
  if (state.text[state.at] !== '"') refuse(state, 'looking for beginning of object key string');
  const key = parseString(state);
  skipSpace(state);
  if (state.text[state.at] !== ':') refuse(state, 'after object key');
  state.at++;
  return key;
}

function parseObject(state: State): JsonObject {
  enter(state);
  const object: JsonObject = {};
  if (state.text[state.at] === '}') {
    state.at++;
    return object;
  }
  for (;;) {
    const key = parseKey(state);
    state.path.push(key);
    if (getOwn(object, key) !== undefined) {
      if (state.duplicates.size < duplicateLimit) state.duplicates.add(formatPath(state.path));
      // The key moves to the position of its last value.
      delete object[key];
    }
    setOwn(object, key, parseValue(state));
    state.path.pop();
    if (endsAt(state, '}', 'after object key:value pair')) return object;
  }
}

/** Formats a path as strict decoding does: `spec.rules[0].host`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}

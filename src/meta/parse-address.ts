import type { IpAddress } from './ip-address.ts';

/** A parsed address; `zone` is the text after a percent sign. */
interface ParsedAddress extends IpAddress {
  readonly zone: string;
}

type Problem = { readonly problem: string };

/**
 * Parses an IP address, with a zone or without. The problems are the messages of Go's `net/netip`.
 */
export function parseAddress(text: string): ParsedAddress | Problem {
  const mark = /[.:%]/.exec(text)?.[0];
  const parsed = mark === '.' ? parseV4(text) : mark === ':' ? parseV6(text) : undefined;
  if (typeof parsed === 'object' && 'value' in parsed) return parsed;
  const { why, at } = parsed ?? { why: mark === '%' ? 'missing IPv6 address' : 'unable to parse IP', at: undefined };
  const place = at === undefined ? '' : ` (at ${JSON.stringify(at)})`;
  return { problem: `ParseAddr(${JSON.stringify(text)}): ${why}${place}` };
}

/** The reason why a text is not an address; `at` is the rest of the text from the error on. */
interface Mistake {
  readonly why: string;
  readonly at: string | undefined;
}

function mistake(why: string, at?: string): Mistake {
  return { why, at };
}

function parseV4(text: string): ParsedAddress | Mistake {
  const fields = fieldsOfV4(text);
  if ('why' in fields) return fields;
  return { family: 4, value: fields.reduce((value, field) => (value << 8n) | BigInt(field), 0n), zone: '' };
}

function fieldsOfV4(text: string): readonly number[] | Mistake {
  const fields: number[] = [];
  let [value, digits] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (/[0-9]/.test(character)) {
      if (digits === 1 && value === 0) return mistake('IPv4 field has octet with leading zero');
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return mistake('IPv4 field has value >255');
    } else if (character !== '.') return mistake('unexpected character', text.slice(index));
    else {
      if (index === 0 || index === text.length - 1 || text[index - 1] === '.')
        return mistake('IPv4 field must have at least one digit', text.slice(index));
      if (fields.length === 3) return mistake('IPv4 address too long');
      fields.push(value);
      [value, digits] = [0, 0];
    }
  }
  return fields.length < 3 ? mistake('IPv4 address too short') : [...fields, value];
}

/** The state of the IPv6 parser: the groups of 16 bits, and the index of `::` among them. */
interface Groups {
  readonly groups: number[];
  rest: string;
  ellipsis: number | undefined;
}

function parseV6(text: string): ParsedAddress | Mistake {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return mistake('zone must be a non-empty string');
  const state: Groups = { groups: [], rest: percent < 0 ? text : text.slice(0, percent), ellipsis: undefined };
  if (state.rest.startsWith('::')) {
    state.ellipsis = 0;
    state.rest = state.rest.slice(2);
  }
  while (state.groups.length < 8 && (state.rest !== '' || state.ellipsis !== state.groups.length)) {
    const wrong = readGroup(state);
    if (wrong) return wrong;
    if (state.rest === '') break;
  }
  const { groups, ellipsis, rest } = state;
  if (rest !== '') return mistake('trailing garbage after address', rest);
  if (groups.length < 8 && ellipsis === undefined) return mistake('address string too short');
  if (groups.length === 8 && ellipsis !== undefined)
    return mistake('the :: must expand to at least one field of zeros');
  const zeros = Array.from({ length: 8 - groups.length }, () => 0);
  const all = [...groups.slice(0, ellipsis ?? 8), ...zeros, ...groups.slice(ellipsis ?? 8)];
  return { family: 6, value: all.reduce((value, group) => (value << 16n) | BigInt(group), 0n), zone };
}

/** Reads a group and the colons after it. */
function readGroup(state: Groups): Mistake | undefined {
  const { rest, groups } = state;
  const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
  if (digits.length > 4) return mistake('each group must have 4 or less digits', rest);
  if (digits === '') return mistake('each colon-separated field must have at least one digit', rest);
  if (rest[digits.length] === '.') return readEmbedded(state);
  groups.push(Number.parseInt(digits, 16));
  state.rest = rest.slice(digits.length);
  if (state.rest === '') return undefined;
  if (state.rest[0] !== ':') return mistake('unexpected character, want colon', state.rest);
  if (state.rest.length === 1) return mistake('colon must be followed by more characters', state.rest);
  state.rest = state.rest.slice(1);
  if (state.rest[0] !== ':') return undefined;
  if (state.ellipsis !== undefined) return mistake('multiple :: in address', state.rest);
  state.ellipsis = groups.length;
  state.rest = state.rest.slice(1);
  return undefined;
}

/** Reads the IPv4 address at the end of an IPv6 address. */
function readEmbedded(state: Groups): Mistake | undefined {
  const { rest, groups, ellipsis } = state;
  if (ellipsis === undefined && groups.length !== 6)
    return mistake('embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (groups.length > 6) return mistake('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const fields = fieldsOfV4(rest);
  if ('why' in fields) return fields;
  const [a = 0, b = 0, c = 0, d = 0] = fields;
  groups.push(a * 256 + b, c * 256 + d);
  state.rest = '';
  return undefined;
}

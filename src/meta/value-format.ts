import { isIPv4, isIPv6 } from 'node:net';
import { isMailAddress } from './mail-address.ts';
import { parseDuration } from './duration.ts';
import { parseAddress } from './parse-address.ts';
import { parseRequestUri } from './request-uri.ts';
import { validateDnsLabel, validateDnsSubdomain } from './validate-name.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const letters = '\\p{S}\\p{L}';
const inner = `a-zA-Z0-9${letters}`;
/**
 * A host name: one label, or several of which the last has only letters. Symbols count as letters.
 */
const host = new RegExp(
  `^(?:[${inner}](?:-?[${inner}]{0,62})?|(?:[${inner}](?:[-${inner}]{0,61}[${inner}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);
const time = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;
const card =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
const shade = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const rgb = new RegExp(`^rgb\\(\\s*${shade}\\s*,\\s*${shade}\\s*,\\s*${shade}\\s*\\)$`);

/** The checks by format, without the dashes of its name. Other formats are not checked. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-f]{24}$/i.test(text),
  byte: isBase64,
  cidr: isNetwork,
  creditcard: isCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isMailAddress,
  hexcolor: (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  hostname: isHostname,
  ipv4: (text) => isSloppyAddress(text) && text.includes('.'),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  k8slongname: (text) => validateDnsSubdomain(text).length === 0,
  k8sshortname: (text) => validateDnsLabel(text).length === 0,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: isHardwareAddress,
  rgbcolor: (text) => rgb.test(text),
  ssn: (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text),
  uri: (text) => !('problem' in parseRequestUri(text)),
  uuid: (text) => uuid.test(text),
  uuid3: (text) => uuid.test(text) && /^.{8}-?.{4}-?3/.test(text),
  uuid4: (text) => uuid.test(text) && /^.{8}-?.{4}-?4.{3}-?[89ab]/i.test(text),
  uuid5: (text) => uuid.test(text) && /^.{8}-?.{4}-?5.{3}-?[89ab]/i.test(text),
};

const integerFormats: ReadonlySet<string> = new Set(['int32', 'int64']);
const numberFormats: ReadonlySet<string> = new Set(['float', 'double']);

/** Reports whether a format is checked for values of a type. */
export function isCheckedFormat(type: string, format: string): boolean {
  if (type === 'integer') return integerFormats.has(format);
  if (type === 'number') return numberFormats.has(format);
  const name = format.replaceAll('-', '');
  return (type === '' || type === 'string') && (name === 'password' || Object.hasOwn(checks, name));
}

/** Reports whether a text has a format of JSON Schema; true for unknown formats. */
export function isOfFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '');
  return !Object.hasOwn(checks, name) || checks[name]?.(text) === true;
}

/**
 * Reports whether a text is base64: groups of four characters, at least one, the last may be
 * padded.
 */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/);
  return text.length > 0 && text.length % 4 === 0 && (end === -1 || /^={1,2}$/.test(text.slice(end, end + 3)));
}

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || !host.test(text)) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** Reports whether a text is an IP address; numbers of IPv4 may have leading zeros. */
function isSloppyAddress(text: string): boolean {
  return !text.includes('%') && !('problem' in parseAddress(withoutZeros(text)));
}

/** A text without the leading zeros of the numbers of an IPv4 address. */
function withoutZeros(text: string): string {
  if (!text.includes('.')) return text;
  const first = text.lastIndexOf(':') + 1;
  // One digit ahead is enough, so that a long text is read once.
  return text.slice(0, first) + text.slice(first).replaceAll(/(?<=^|\.)0+(?=\d)/g, '');
}

function isNetwork(text: string): boolean {
  const [address = '', length = '', more] = text.split('/');
  if (more !== undefined || !/^\d{1,9}$/.test(length) || !isSloppyAddress(address)) return false;
  return Number(length) <= (isIPv4(withoutZeros(address)) ? 32 : 128);
}

/** Reports whether a text has 6, 8 or 20 octets, in pairs of digits or in groups of four. */
function isHardwareAddress(text: string): boolean {
  const octets = /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2})+$/i.test(text)
    ? (text.length + 1) / 3
    : /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text)
      ? ((text.length + 1) / 5) * 2
      : 0;
  return [6, 8, 20].includes(octets);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const made = new Date(Date.UTC(2000, month - 1, day));
  made.setUTCFullYear(year);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

/** Reports whether a text is a date and a time. The text after a second `t` is ignored. */
function isDateTime(text: string): boolean {
  const [date = '', clock = ''] = text.toLowerCase().split('t');
  const parts = time.exec(clock);
  if (!parts || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = parts;
  return hour <= '23' && minute <= '59' && second <= '59';
}

/** The names of units, and the prefixes of long names. */
const units = ['ns', 'us', '\u00b5s', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'].map(inEitherCase).join('|');
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'].map(inEitherCase).join('|');
/** The last digit of a count, with its unit. */
const countedUnit = new RegExp(`\\d\\s*(?:${longUnits}|(?:${units})(?![A-Za-z\u00b5]))`);
const beginningOfUnit = /^\s*[A-Za-z\u00b5]/;
/** Counts with more digits are too large in any case. */
const mostDigits = 19;

function inEitherCase(name: string): string {
  return name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** A duration of Go, or a text with at least one counted unit in it: `3 days`. */
function isDuration(text: string): boolean {
  if (parseDuration(text) !== undefined) return true;
  return countedUnit.test(text) && !hasLargeCount(text);
}

/** Reports whether a count of a unit exceeds 63 bits. */
function hasLargeCount(text: string): boolean {
  for (const { 0: count, index } of text.matchAll(/\d{19,}/g)) {
    const digits = count.replace(/^0+/, '');
    const isLarge = digits.length > mostDigits || BigInt(digits) >= 2n ** 63n;
    if (isLarge && beginningOfUnit.test(text.slice(index + count.length))) return true;
  }
  return false;
}

/** The characters of a text that do not match `others`; undefined if there are more than `most`. */
function upTo(most: number, text: string, others: RegExp): string | undefined {
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (others.test(character)) continue;
    if (kept.length === most) return undefined;
    kept += character;
  }
  return kept;
}

function isCard(text: string): boolean {
  const digits = upTo(16, text, /[^0-9]/) ?? '';
  if (!card.test(digits)) return false;
  let sum = 0;
  for (const [place, digit] of Array.from(digits).toReversed().entries()) {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = upTo(10, text, /[\s-]/) ?? '';
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = upTo(13, text, /[\s-]/) ?? '';
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

import { isIP, isIPv4, isIPv6 } from 'node:net';
import { validateDnsLabel, validateDnsSubdomain } from '../../meta/validate-name.ts';

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const hostLabel = /^[a-z0-9_](?:[-a-z0-9_]{0,61}[a-z0-9_])?$/i;
const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const wordDuration = /^(?:(?:\d+(?:\.\d+)?)\s*(?:ns|us|µs|ms|s|sec|m|min|h|hour|d|day|w|wk|week)s?\s*)+$/i;

/** The checks by format, without the dashes of its name. Other formats are not checked. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-f]{24}$/i.test(text),
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  cidr: isNetwork,
  creditcard: (text) => isLuhn(text.replaceAll(/[^0-9]/g, '')),
  date: isDate,
  datetime: isDateTime,
  duration: (text) => goDuration.test(text) || wordDuration.test(text),
  email: (text) => text.length <= 254 && /^[^\s@<>()[\],;:\\"]+@[^\s@]+$/.test(text) && isHostname(domainOf(text)),
  hexcolor: (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  k8slongname: (text) => validateDnsSubdomain(text).length === 0,
  k8sshortname: (text) => validateDnsLabel(text).length === 0,
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: (text) => /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i.test(text),
  rgbcolor: (text) => /^rgb\(\s*(?:(?:1?\d{1,2}|2[0-4]\d|25[0-5])\s*(?:,\s*|\)$)){3}/.test(text),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\/\/\S+$|^\/\S*$/i.test(text),
  uuid: (text) => uuid.test(text),
  uuid3: (text) => uuid.test(text) && /^.{8}-?.{4}-?3/.test(text),
  uuid4: (text) => uuid.test(text) && /^.{8}-?.{4}-?4.{3}-?[89ab]/i.test(text),
  uuid5: (text) => uuid.test(text) && /^.{8}-?.{4}-?5.{3}-?[89ab]/i.test(text),
};

const integerFormats: ReadonlySet<string> = new Set(['int32', 'int64']);
const numberFormats: ReadonlySet<string> = new Set(['float', 'double']);

/** Reports whether values of a type are checked for a format. */
export function isKnownFormat(type: string, format: string): boolean {
  if (type === 'integer') return integerFormats.has(format);
  if (type === 'number') return numberFormats.has(format);
  const name = format.replaceAll('-', '');
  return (type === '' || type === 'string') && (name === 'password' || Object.hasOwn(checks, name));
}

/** Reports whether a text has a format of JSON Schema; true for formats that are not known. */
export function isOfFormat(format: string, text: string): boolean {
  const name = format.replaceAll('-', '');
  return !Object.hasOwn(checks, name) || checks[name]?.(text) === true;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  return name.length > 0 && name.length <= 253 && name.split('.').every((label) => hostLabel.test(label));
}

function isNetwork(text: string): boolean {
  const [address = '', length = '', more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more === undefined && /^\d{1,3}$/.test(length) && Number(length) <= bits;
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

function isDateTime(text: string): boolean {
  const parts = dateTime.exec(text);
  if (!parts) return false;
  const [, date = '', hour, minute, second] = parts;
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

function isLuhn(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  let sum = 0;
  for (const [place, digit] of Array.from(digits).toReversed().entries()) {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

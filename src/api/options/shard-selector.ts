import { badRequest } from '../../status/status-error.ts';
import { shownValue } from '../../status/shown-value.ts';
import type { ObjectFilter } from '../../storage/cache/resource-cache.ts';

/** A selection of objects by hash ranges of a field. */
export interface ShardSelector {
  readonly filter: ObjectFilter;
  /** The canonical text of the selector, which list responses repeat. */
  readonly text: string;
}

/** A range of hashes; `end` is exclusive. */
interface HashRange {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

/** The fields that can be hashed. */
const fields: Readonly<Record<string, (object: Parameters<ObjectFilter>[1]) => string>> = Object.freeze({
  'object.metadata.uid': ({ uid }) => uid,
  'object.metadata.namespace': ({ namespace }) => namespace,
});

/** The longest selector that is parsed. */
const selectorLimit = 16_384;

/** A shardRange: a field path, and two strings in single or double quotes. */
const range =
  /^\s*shardRange\s*\(\s*([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*,\s*(?:'([^']*)'|"([^"]*)")\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$/;

/**
 * Parses `shardSelector`: ranges of hashes, `shardRange(object.metadata.uid, '0x0000000000000000',
 * '0x8000000000000000')`, joined by `||`. Throws 400 for any other expression.
 */
export function parseShardSelector(text: string): ShardSelector {
  if (text.trim() === '') throw refused('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  if (text.length > selectorLimit) throw refused(`more than ${selectorLimit} characters`);
  const ranges = text.split('||').map(parseRange);
  const field = ranges[0]?.field ?? '';
  const other = ranges.find((one) => one.field !== field);
  if (other) throw refused(`all shard ranges must use the same field, got "${field}" and "${other.field}"`);
  const bounds = ranges.map(({ start, end }) => [BigInt(start), BigInt(end)] as const);
  const valueOf = fields[field];
  return {
    text: ranges.map(({ start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(' || '),
    filter: (_, object) => {
      const hash = hashOf(valueOf?.(object) ?? '');
      return bounds.some(([start, end]) => hash >= start && hash < end);
    },
  };
}

function parseRange(text: string): HashRange {
  const match = range.exec(text);
  if (!match) {
    const expected = "shardRange(object.metadata.uid, '0x...', '0x...'), or several joined by ||";
    throw refused(`${shownValue(text.trim(), shownLimit)}: expected ${expected}`);
  }
  const field = (match[1] ?? '').replaceAll(/\s/g, '');
  if (!Object.hasOwn(fields, field)) {
    throw refused(`unsupported field path "${field}"; supported: ${Object.keys(fields).join(', ')}`);
  }
  const start = checkedHash(match[2] ?? match[3] ?? '', 'hexStart');
  const end = checkedHash(match[4] ?? match[5] ?? '', 'hexEnd');
  if (BigInt(start) >= BigInt(end)) throw refused(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

/** The longest text of an expression in messages. */
const shownLimit = 64;

/** The exclusive end of the range of all hashes; it has one digit more than a hash. */
const endOfHashes = '0x10000000000000000';
const hashDigits = 16;

function checkedHash(text: string, name: string): string {
  const shown = shownValue(text, shownLimit);
  if (!text.startsWith('0x')) throw refused(`${name} must have '0x' prefix, got ${shown}`);
  const digits = text.slice(2);
  if (!/^[0-9a-f]+$/.test(digits))
    throw refused(`${name}: expected lower-case hexadecimal digits after '0x', got ${shown}`);
  if (digits.length === hashDigits || text === endOfHashes) return text;
  throw refused(`${name} must be a 0x-prefixed ${hashDigits}-digit hex value or ${endOfHashes}, got ${shown}`);
}

/**
 * The halves of the FNV-1a offset basis of 64 bits, and the low part of its prime; the high part is
 * 2^40.
 */
const [offsetHigh, offsetLow, primeLow] = [0xcbf29ce4, 0x84222325, 0x1b3];

/**
 * Returns the FNV-1a hash of 64 bits. It is computed in two halves, because BigInt arithmetic for
 * each byte takes twenty times as long.
 */
function hashOf(value: string): bigint {
  let [high, low] = [offsetHigh, offsetLow];
  for (const byte of Buffer.from(value)) {
    low = (low ^ byte) >>> 0;
    const product = low * primeLow;
    high = (Math.imul(high, primeLow) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}

function refused(why: string) {
  return badRequest(`invalid shard selector: ${why}`);
}

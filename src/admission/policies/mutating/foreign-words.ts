import {
  CelList,
  CelMap,
  type CelValue,
  Duration,
  Timestamp,
  typeNameOf,
  Uint,
} from '../../../cel/values/cel-value.ts';
import { formatTimestamp, splitNanos } from '../../../cel/values/timestamp.ts';
import { formatDuration } from '../../../meta/duration.ts';
import { boundedList, cutText, shownValueLimit } from '../../../status/shown-value.ts';
import { meterFor } from '../../../cel/values/work-meter.ts';

/** The type of a value of an expression in Go, as errors name it. */
export function foreignType(value: CelValue): string {
  if (value === null) return 'structpb.NullValue';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Uint8Array) return '[]uint8';
  if (value instanceof Timestamp) return 'time.Time';
  if (value instanceof Duration) return 'time.Duration';
  return value instanceof CelMap ? 'map[ref.Val]ref.Val' : '[]ref.Val';
}

/** A value as Go's `%v` prints it, of bounded length. */
export function shownForeign(value: CelValue): string {
  return cutText(plain(value, shownValueLimit));
}

/** A value as Go's `%#v` prints it, of bounded length. */
export function foreignSyntax(value: CelValue): string {
  return cutText(syntax(value, shownValueLimit));
}

function plain(value: CelValue, limit: number): string {
  if (value === null) return 'NULL_VALUE';
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return formatDuration(value.nanos);
  if (value instanceof Timestamp) return `${formatTimestamp(value.nanos).replace('T', ' ').slice(0, -1)} +0000 UTC`;
  if (value instanceof Uint8Array) return partsOf([...value.subarray(0, limit)], ['[', ' ', ']'], limit, String);
  return containerText(value, { list: '[', map: 'map[', end: ']', separator: ' ' }, limit, plain) ?? otherText(value);
}

function syntax(value: CelValue, limit: number): string {
  if (value === null) return '0';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, limit + 1));
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Duration) return String(value.nanos);
  if (value instanceof Timestamp) return timeSyntax(value);
  if (value instanceof Uint8Array) {
    return partsOf([...value.subarray(0, limit)], ['[]uint8{', ', ', '}'], limit, byteSyntax);
  }
  const words = { list: '[]ref.Val{', map: 'map[ref.Val]ref.Val{', end: '}', separator: ', ' };
  return containerText(value, words, limit, syntax) ?? otherText(value);
}

function byteSyntax(byte: number): string {
  return `0x${byte.toString(16)}`;
}

function timeSyntax({ nanos }: Timestamp): string {
  const { seconds, rest } = splitNanos(nanos);
  const date = new Date(Number(seconds) * 1000);
  const month = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const clock = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), rest];
  return `time.Date(${date.getUTCFullYear()}, time.${month}, ${clock.join(', ')}, time.UTC)`;
}

/** Numbers, truth values and texts; values of libraries by their type. */
function otherText(value: CelValue): string {
  return typeof value === 'object' ? typeNameOf(value) : String(value);
}

interface ContainerWords {
  readonly list: string;
  readonly map: string;
  readonly end: string;
  readonly separator: string;
}

type Print = (value: CelValue, limit: number) => string;

/** The text of a list or map; undefined for another value. */
function containerText(value: CelValue, words: ContainerWords, limit: number, print: Print): string | undefined {
  const { list, map, end, separator } = words;
  if (value instanceof CelList) {
    const items = Array.from({ length: Math.min(value.size, limit) }, (_, index) => value.at(index) ?? null);
    return partsOf(items, [list, separator, end], limit, print);
  }
  if (!(value instanceof CelMap)) return undefined;
  const keys = value.keys(meterFor(shownValueLimit * shownValueLimit));
  return partsOf(keys.slice(0, limit), [map, separator, end], limit, (key, room) => {
    return `${print(key, room)}:${print(value.get(key) ?? null, room)}`;
  });
}

function partsOf<Item>(
  items: readonly Item[],
  [open, separator, close]: readonly [open: string, separator: string, close: string],
  limit: number,
  print: (item: Item, limit: number) => string,
): string {
  return boundedList(items, { open, separator, close }, limit, print);
}

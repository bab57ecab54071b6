import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { normaliseTime } from '../../meta/time.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { Schema } from '../../scheme/model/schema.ts';
import { badRequest } from '../../status/status-error.ts';
import { decodePath } from '../request/encode-path.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** The parts of an RFC 3339 time in order: their form, their name in Go, and their range. */
const timeParts: readonly (readonly [form: RegExp, layout: string, part?: string, least?: number, most?: number])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01', 'month', 1, 12],
  [/^-/, '-'],
  [/^\d{2}/, '02', 'day', 1, 31],
  [/^T/, 'T'],
  [/^\d{2}/, '15', 'hour', 0, 23],
  [/^:/, ':'],
  [/^\d{2}/, '04', 'minute', 0, 59],
  [/^:/, ':'],
  [/^\d{2}(?:\.\d+)?/, '05', 'second', 0, 59],
  [/^(?:Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
];

/**
 * Says why a text is no RFC 3339 time, in the words of Go's parser after the quoted text, which
 * kube-apiserver sends to clients.
 */
function timeProblem(text: string): string {
  let rest = text;
  for (const [form, layout, part, least = 0, most = Infinity] of timeParts) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return ` as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(layout)}`;
    }
    if (part !== undefined && (Number.parseInt(found, 10) < least || Number.parseInt(found, 10) > most)) {
      return `: ${part} out of range`;
    }
    rest = rest.slice(found.length);
  }
  return rest === '' ? ': day out of range' : `: extra text: ${JSON.stringify(rest)}`;
}

/**
 * The options of a connection as an object: the parameters of the query that its kind has, and the
 * decoded path after the sub-resource. Throws 400 for a value of another type.
 */
export function connectOptions(
  { kind = '', options, hasPath }: ConnectDefinition,
  { group, version, rest }: ResourceTarget,
  query: Query,
): JsonObject {
  const object: JsonObject = { kind, apiVersion: formatApiVersion(group, version) };
  for (const { name, schema } of options?.().fields.values() ?? []) {
    const values = query.getAll(name);
    const value = values.length > 0 ? valueOf(schema, values) : undefined;
    if (value !== undefined) object[name] = value;
  }
  if (hasPath && rest !== '') object['path'] = decodePath(rest).toString('utf8');
  return object;
}

/** The value of a parameter; undefined if it is empty. Most types use the first of several. */
function valueOf(schema: Schema, values: readonly string[]): JsonValue | undefined {
  const [first = ''] = values;
  if (schema.type === 'list') return schema.items.type === 'int32' ? values.flatMap(portsIn) : [...values];
  if (schema.type === 'bool') return !falseWords.has(first.toLowerCase());
  if (schema.type === 'int32' || schema.type === 'int64') return integerIn(first);
  if (schema.type === 'time') return first === '' ? undefined : timeIn(first);
  return first === '' ? undefined : first;
}

/** Any other word is true, also none, as in `?stdin`. */
const falseWords: ReadonlySet<string> = new Set(['false', '0']);

const largestInteger = 2n ** 63n - 1n;
const largestPort = 65_535;

function integerIn(text: string): JsonValue {
  const fail = (why: string) => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw fail('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  if (value > largestInteger || value < -largestInteger - 1n) throw fail('value out of range');
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The ports in a list of ports, separated by commas. */
function portsIn(list: string): readonly number[] {
  return list.split(',').map((text) => {
    const fail = (why: string) =>
      badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
    if (!/^\d+$/.test(text)) throw fail('invalid syntax');
    if (Number(text) > largestPort) throw fail('value out of range');
    return Number(text);
  });
}

function timeIn(text: string): string {
  const time = normaliseTime(text);
  if (time === undefined) throw badRequest(`parsing time ${JSON.stringify(text)}${timeProblem(text)}`);
  return time;
}

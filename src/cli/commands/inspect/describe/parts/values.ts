import { identifierSets, identifiersOf } from '../../../../../identifiers/identifiers.ts';
import { ageSince } from '../../../../../meta/human-duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../meta/json-value.ts';
import { objectsAt, stringAt, stringEntriesAt, stringsAt } from '../../../../../meta/read-field.ts';
import { parseTime } from '../../../../../meta/time.ts';

/** A missing value. */
export const none = '<none>';

/** A value that nobody has set. */
export const unset = '<unset>';

/** Formats the value of a field. */
export type Format = (value: JsonValue | undefined) => string;

/** The value at a path of fields, as in `metadata.name`. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = object;
  for (const name of path.split('.')) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** The text at a path; '' if there is none. */
export function textAt(object: JsonObject, path: string): string {
  return plain(valueAt(object, path));
}

/** The objects in the list at a path. */
export function itemsAt(object: JsonObject, path: string): readonly JsonObject[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The object at a path; an empty one if there is none. */
export function partAt(object: JsonObject, path: string): JsonObject {
  const value = valueAt(object, path);
  return isJsonObject(value) ? value : {};
}

/** Text as it is, lists in brackets, nothing for a missing value. */
export function plain(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (isJsonObject(value)) return mapText(value);
  return value === undefined || value === null ? '' : String(value);
}

/** `map[a:b c:d]` */
function mapText(value: JsonObject): string {
  const keys = Object.keys(value).toSorted();
  return `map[${keys.map((key) => `${key}:${plain(value[key])}`).join(' ')}]`;
}

/** Puts `instead` in the place of a missing or empty value. */
export function or(instead: string, format: Format = plain): Format {
  return (value) => (plain(value) === '' ? instead : format(value));
}

/** Appends a unit. */
export function withUnit(unit: string): Format {
  return (value) => `${plain(value)}${unit}`;
}

/** A list with commas between. */
export function joined(separator: string): Format {
  return (value) => (Array.isArray(value) ? value.map(plain).join(separator) : plain(value));
}

/** `True` or `False`. */
export const capitalised: Format = (value) => (value === true ? 'True' : 'False');

/** `true` or `false`, also if nothing is set. */
export const flag: Format = (value) => String(value === true);

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const noTime = 'Mon, 01 Jan 0001 00:00:00 +0000';

/** A time as in mail (RFC 1123), in the zone of this machine. */
export const longTime: Format = (value) => {
  const milliseconds = parseTime(plain(value));
  if (milliseconds === undefined) return noTime;
  const at = new Date(milliseconds);
  const two = (number: number) => String(number).padStart(2, '0');
  const zone = -at.getTimezoneOffset();
  const offset = `${zone < 0 ? '-' : '+'}${two(Math.floor(Math.abs(zone) / 60))}${two(Math.abs(zone) % 60)}`;
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${days[at.getDay()]}, ${two(at.getDate())} ${months[at.getMonth()]} ${at.getFullYear()} ${clock} ${offset}`;
};

/** The time since another; `<unknown>` if there is none. */
export function since(value: JsonValue | undefined, nowMs: number): string {
  return ageSince(plain(value), nowMs);
}

/** `a=b,c=d`, sorted. */
export const pairs: Format = (value) =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? Object.keys(value)
        .toSorted()
        .map((key) => `${key}=${plain(value[key])}`)
        .join(',')
    : none;

/** A label selector in the syntax of queries; '' for one that selects all. */
export function selectorQuery(selector: JsonObject): string {
  const equal = stringEntriesAt(selector, 'matchLabels').map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const others = objectsAt(selector, 'matchExpressions').map(expressionText);
  return [...equal, ...others]
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ text }) => text)
    .join(',');
}

function expressionText(expression: JsonObject): { key: string; text: string } {
  const key = stringAt(expression, 'key');
  const values = `(${stringsAt(expression, 'values').toSorted().join(',')})`;
  const texts: Readonly<Record<string, string>> = {
    In: `${key} in ${values}`,
    NotIn: `${key} notin ${values}`,
    Exists: key,
    DoesNotExist: `!${key}`,
  };
  return { key, text: texts[stringAt(expression, 'operator')] ?? key };
}

/** A label selector; `<none>` for one that selects all. */
export const selectorText: Format = (value) => (isJsonObject(value) && selectorQuery(value)) || none;

/** An access mode list in the short form. */
export const accessModes: Format = (value) =>
  Array.isArray(value) ? [...new Set(value.map((mode) => shortModes[plain(mode)] ?? plain(mode)))].join(',') : '';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** A text as Go quotes it. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A host with a port, in brackets if it has colons. */
export function hostPort(host: string, port: string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A group without the domain of the server's own groups: `networking`, `apps`, `example.com`. */
export function shortGroup(group: string): string {
  const domain = identifierSets
    .map((set) => identifiersOf(set))
    .flatMap(({ apiDomain, flowControlGroup }) => [flowControlGroup.replace(/^[a-z]+\./, ''), apiDomain])
    .find((each) => group.endsWith(`.${each}`));
  return domain === undefined ? group : group.slice(0, -domain.length - 1);
}

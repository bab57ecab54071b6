import { identifierSets, identifiersOf } from '../../../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../../../meta/json-value.ts';
import type { Facts, Section } from './description.ts';
import { type Format, itemsAt, longTime, none, partAt, plain, valueAt } from './values.ts';

/** A line with the value at a path, also if there is none. */
export function field(label: string, path: string, format: Format = plain): Section {
  return (object) => [`${label}:\t${format(valueAt(object, path))}`];
}

/** A line with the value at a path, if there is one. */
export function optional(label: string, path: string, format: Format = plain): Section {
  return (object) => {
    const value = valueAt(object, path);
    return value === undefined || value === null || value === '' ? [] : [`${label}:\t${format(value)}`];
  };
}

/** A line with a value that is made of several fields. */
export function line(label: string, value: (object: JsonObject, facts: Facts) => string | undefined): Section {
  return (object, facts) => {
    const found = value(object, facts);
    return found === undefined ? [] : [`${label}:\t${found}`];
  };
}

/** A heading and sections below it. */
export function block(heading: string, ...sections: readonly Section[]): Section {
  return (object, facts) => [`${heading}:`, ...indented(sections.flatMap((section) => section(object, facts)))];
}

/** Sections that are there if the value at a path is. */
export function ifSet(path: string, ...sections: readonly Section[]): Section {
  return (object, facts) => {
    const value = valueAt(object, path);
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : sections.flatMap((section) => section(object, facts));
  };
}

/** Moves lines to the right by levels of two blanks. */
export function indented(lines: readonly string[], levels = 1): string[] {
  return lines.map((each) => '  '.repeat(levels) + each);
}

/** A heading whose values are on lines of their own, aligned. */
export function valueLines(heading: string, values: readonly string[]): string[] {
  const [first = none, ...rest] = values;
  return [`${heading}:\t${first}`, ...rest.map((value) => `\t${value}`)];
}

/** The entries of a map, sorted, as `key=value`. */
export function mapLines(heading: string, map: JsonObject): string[] {
  const keys = Object.keys(map).toSorted();
  return valueLines(
    heading,
    keys.map((key) => `${key}=${plain(map[key])}`),
  );
}

/** The annotation of client-side apply is left out: it repeats the object. */
export const hiddenAnnotations: ReadonlySet<string> = new Set(
  identifierSets
    .map((set) => identifiersOf(set))
    .map(({ commandLine, labelDomain }) => `${commandLine}.${labelDomain}/last-applied-configuration`),
);

/** A longer annotation is cut, on lines of its own. */
const longestAnnotation = 140;

/** The annotations of a map, sorted, as `key: value`. */
export function annotationLines(heading: string, map: JsonObject): string[] {
  const keys = Object.keys(map)
    .filter((key) => !hiddenAnnotations.has(key))
    .toSorted();
  return valueLines(
    heading,
    keys.flatMap((key) => annotationText(key, plain(map[key]).replace(/\n$/, ''))),
  );
}

function annotationText(key: string, value: string): string[] {
  if (key.length + value.length + 2 <= longestAnnotation && !value.includes('\n')) return [`${key}: ${value}`];
  const limit = longestAnnotation - 2;
  const cut = (text: string) => (text.length > limit ? `${text.slice(0, limit)}...` : text);
  return [`${key}:`, ...value.split('\n').map((each) => `  ${cut(each)}`)];
}

/** `metadata.labels`. */
export const labels: Section = (object) => mapLines('Labels', partAt(object, 'metadata.labels'));

/** `metadata.annotations`. */
export const annotations: Section = (object) => annotationLines('Annotations', partAt(object, 'metadata.annotations'));

/** The first line of most descriptions. */
export const name: Section = field('Name', 'metadata.name');

/** Name and namespace. */
export const namespacedName: readonly Section[] = [name, field('Namespace', 'metadata.namespace')];

/** `metadata.creationTimestamp`. */
export const created: Section = field('CreationTimestamp', 'metadata.creationTimestamp', longTime);

/** A column of a table of items: its heading, and the path or the text of its cells. */
type Column = readonly [heading: string, cell: string | ((item: JsonObject) => string), format?: Format];

/** The lines of a table with underlined headings. */
export function tableLines(columns: readonly Column[], items: readonly JsonObject[]): string[] {
  const headings = columns.map(([heading]) => heading);
  const rows = items.map((item) =>
    columns.map(([, cell, format = plain]) => (typeof cell === 'string' ? format(valueAt(item, cell)) : cell(item))),
  );
  return [headings, headings.map((heading) => '-'.repeat(heading.length)), ...rows].map((row) => row.join('\t'));
}

/** A table of the items of a list, if it has any. */
export function table(heading: string, path: string, columns: readonly Column[]): Section {
  return (object) => {
    const items = itemsAt(object, path);
    return items.length === 0 ? [] : [`${heading}:`, ...indented(tableLines(columns, items))];
  };
}

/** Conditions with their reasons. */
export const conditions: Section = table('Conditions', 'status.conditions', [
  ['Type', 'type'],
  ['Status', 'status'],
  ['Reason', 'reason'],
]);

/** Conditions with their times, reasons and messages. */
export const timedConditions: Section = table('Conditions', 'status.conditions', [
  ['Type', 'type'],
  ['Status', 'status'],
  ['LastTransitionTime', 'lastTransitionTime', longTime],
  ['Reason', 'reason'],
  ['Message', 'message'],
]);

/** The controller among the owners: `ReplicaSet/web-1`. */
export const controlledBy: Section = (object) => {
  const owner = itemsAt(object, 'metadata.ownerReferences').find(({ controller }) => controller === true);
  return owner ? [`Controlled By:\t${plain(owner.kind)}/${plain(owner.name)}`] : [];
};

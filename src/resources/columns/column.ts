import { type CellContext, type Column, nameColumn as tableName } from '../../codec/table-definition.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { metaText } from '../../meta/object-meta.ts';
import { ageSince } from '../../meta/human-duration.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../gen/stored/meta-v1.ts';

/** Formats a map as a selector of labels, sorted: `a=b,c=d`; `<none>` if it is empty. */
export function formatLabels(labels: Readonly<Record<string, string>> = {}): string {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return orNone(texts.toSorted().join(','));
}

/**
 * Formats a LabelSelector in the syntax of the parameter `labelSelector`, sorted by key:
 * `a=b,c in (d,e),!f`; `<none>` if it is missing or selects everything.
 */
export function formatLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = matchExpressions.map((one) => ({ key: one.key, text: formatExpression(one) }));
  const sorted = [...labels, ...expressions].toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return orNone(sorted.map(({ text }) => text).join(','));
}

const formats: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

function formatExpression({ key, operator, values = [] }: LabelSelectorRequirement): string {
  return formats[operator]?.(key, values.toSorted().join(',')) ?? '';
}

/** Computes a cell from an object in its storage version. */
type Cell<T> = (object: T, context: CellContext) => JsonValue;

/** The column with the name of an object. */
export const nameColumn: Column = tableName;

/** The column with the age of an object. */
export const ageColumn: Column = textColumn('Age', 'Time since the object was created.', (object, { nowMs }) =>
  ageSince(metaText(object, 'creationTimestamp'), nowMs),
);

/** A column of type string. Its cells may be numbers: many columns of counts have this type. */
export function textColumn<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { name: title, type: 'string', format: '', description, priority: 0, cell };
}

/** A column of type string that is shown only in wide output. */
export function wideColumn<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...textColumn(title, description, cell), priority: 1 };
}

/** A column of integers. */
export function integerColumn<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...textColumn(title, description, cell), type: 'integer' };
}

/** A column of booleans. */
export function flagColumn<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...textColumn(title, description, cell), type: 'boolean' };
}

/** The text, or `<none>` if it is missing or empty. */
export function orNone(text: string | undefined): string {
  return text ? text : '<none>';
}

/** Joins at most `limit` texts and counts the others: `a,b,c + 2 more...`. */
export function joinFirst(texts: readonly string[], limit: number, separator = ','): string {
  const shown = texts.slice(0, limit).join(separator);
  return texts.length > limit ? `${shown} + ${texts.length - limit} more...` : shown;
}

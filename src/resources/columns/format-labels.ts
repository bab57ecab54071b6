import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt, stringEntriesAt, stringsAt } from '../../meta/read-field.ts';
import { orNone } from './cell-text.ts';

/** Formats a map field as a selector of labels, sorted: `a=b,c=d`; `<none>` if it is empty. */
export function formatLabels(object: JsonObject, field: string): string {
  const texts = stringEntriesAt(object, field).map(([key, value]) => `${key}=${value}`);
  return orNone(texts.toSorted().join(','));
}

/**
 * Formats a LabelSelector field in the syntax of the parameter `labelSelector`, sorted by key:
 * `a=b,c in (d,e),!f`; `<none>` if it is missing or selects everything.
 */
export function formatLabelSelector(object: JsonObject, field: string): string {
  const selector = objectAt(object, field);
  const labels = stringEntriesAt(selector, 'matchLabels').map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = objectsAt(selector, 'matchExpressions').map(formatExpression);
  const sorted = [...labels, ...expressions].toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return orNone(sorted.map(({ text }) => text).join(','));
}

const formats: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

function formatExpression(expression: JsonObject): { readonly key: string; readonly text: string } {
  const key = stringAt(expression, 'key');
  const values = stringsAt(expression, 'values').toSorted().join(',');
  return { key, text: formats[stringAt(expression, 'operator')]?.(key, values) ?? '' };
}

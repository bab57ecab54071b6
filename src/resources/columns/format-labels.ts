import type { LabelSelector, LabelSelectorRequirement } from '../../gen/stored/meta-v1.ts';
import { orNone } from './cell-text.ts';

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

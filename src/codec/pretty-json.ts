import type { JsonValue } from '../meta/json-value.ts';

const step = '  ';

function bracketed(open: string, items: readonly string[], close: string, indent: string): string {
  if (items.length === 0) return open + close;
  const separator = `\n${indent}${step}`;
  return `${open}${separator}${items.join(`,${separator}`)}\n${indent}${close}`;
}

function stringify(value: JsonValue, indent: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + step;
  if (Array.isArray(value)) {
    return bracketed(
      '[',
      value.map((item) => stringify(item, inner)),
      ']',
      indent,
    );
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const lines = entries.map(([key, item]) => `${JSON.stringify(key)}: ${stringify(item, inner)}`);
  return bracketed('{', lines, '}', indent);
}

/** Encodes a value as indented JSON (`?pretty=true`): two spaces a level, no newline at the end. */
export function prettyJson(value: JsonValue): string {
  try {
    return JSON.stringify(value, null, step);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(value, '');
  }
}

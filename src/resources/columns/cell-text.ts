import { getOwn, type JsonObject } from '../../meta/json-value.ts';

/** The text, or `<none>` if it is missing or empty. */
export function orNone(text: string | undefined): string {
  return text ? text : '<none>';
}

/** The number in a field, exactly; 0 if it is missing. */
export function countAt(object: JsonObject, name: string): number | bigint {
  const value = getOwn(object, name);
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
}

/** Joins at most `limit` texts and counts the others: `a,b,c + 2 more...`. */
export function joinFirst(texts: readonly string[], limit: number, separator = ','): string {
  const shown = texts.slice(0, limit).join(separator);
  return texts.length > limit ? `${shown} + ${texts.length - limit} more...` : shown;
}

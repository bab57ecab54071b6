/** The text, or `<none>` if it is missing or empty. */
export function orNone(text: string | undefined): string {
  return text ? text : '<none>';
}

/** Joins at most `limit` texts and counts the others: `a,b,c + 2 more...`. */
export function joinFirst(texts: readonly string[], limit: number, separator = ','): string {
  const shown = texts.slice(0, limit).join(separator);
  return texts.length > limit ? `${shown} + ${texts.length - limit} more...` : shown;
}

/** The percentage in a text such as `25%`; undefined for any other text. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}

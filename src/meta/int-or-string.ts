/** The share that a text like `25%` stands for, in percent; undefined for any other text. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}

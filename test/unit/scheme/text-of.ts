/** A document as text, order of keys included; integers of any size are written as such. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

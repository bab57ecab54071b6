/** The note at the head of each written page. */
export const madeBy = 'Made by `node dist/hack/write-reference-docs.js` from the tables of the programs.';

/** A table of Markdown; cells are Markdown themselves. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`];
  return [...head, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

/** Plain text as Markdown: nothing in it is a mark, and it fits into a cell. */
export function plainText(text: string): string {
  return text.replaceAll(/[\\*_<>|`[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}

/** Text in the type of code, for a cell. */
export function codeText(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', String.raw`\|`)}\``;
}

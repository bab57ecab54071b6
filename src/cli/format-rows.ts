/** The narrowest column of a table, with the space after it. */
const leastWidth = 6;

/** The space between two columns. */
const gap = 3;

/**
 * Formats left-aligned columns as kubectl does: three spaces apart, six wide or more. The last cell
 * of a row is not padded; an empty one leaves the spaces before it. `widths` aligns later rows of a
 * watch with earlier ones.
 */
export function formatRows(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows.map((row) => `${row.map((cell, index) => padded(cell, index, row.length, widths)).join('')}\n`).join('');
}

function padded(cell: string, index: number, cells: number, widths: readonly number[]): string {
  if (index === cells - 1) return cell;
  const width = Math.max(leastWidth, Math.max(widths[index] ?? 0, lengthOf(cell)) + gap);
  return cell + ' '.repeat(width - lengthOf(cell));
}

/** The width of the widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
  }
  return widths;
}

/** The number of characters, where two surrogates are one. */
function lengthOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}

/** Replaces control characters, so that the text of an object cannot control the terminal. */
export function visibleText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}

/** Like `visibleText`, for a text of several lines, which keeps its line breaks and tabs. */
export function visibleLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

/** A line of a message, in which no name can control the terminal. */
export function visibleLine(text: string): string {
  return `${visibleText(text)}\n`;
}

/** Ends the columns above it and is not printed itself. */
export const columnsEnd = '\f';

/** Blanks between two columns. */
const gap = 2;

/**
 * Aligns lines whose cells end with tabs. A column is a run of adjacent lines that have a cell
 * there; it is as wide as its widest cell. The text after the last tab of a line is in no column.
 */
export function alignColumns(lines: readonly string[]): string {
  const rows = lines.map((line) => (line === columnsEnd ? undefined : line.split('\t')));
  const widths: number[][] = rows.map(() => []);
  const columns = rows.reduce((most, row) => Math.max(most, (row?.length ?? 1) - 1), 0);
  for (let column = 0; column < columns; column++) widen(rows, widths, column);
  return rows.map((row, index) => (row === undefined ? '' : `${joinCells(row, widths[index] ?? [])}\n`)).join('');
}

type LineCells = readonly string[] | undefined;

function widen(rows: readonly LineCells[], widths: number[][], column: number): void {
  let run: number[] = [];
  const close = () => {
    const width = run.reduce((most, index) => Math.max(most, lengthOf(rows[index]?.[column] ?? '')), 0) + gap;
    for (const index of run) widths[index]?.push(width);
    run = [];
  };
  for (const [index, row] of rows.entries()) {
    if (row !== undefined && row.length - 1 > column) run.push(index);
    else close();
  }
  close();
}

function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - lengthOf(cell)))).join('');
}

/** Characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

import { type Contender, type Figures, ratio, type ReportRow } from './figures.ts';
import { comparedFigure, holds, shown } from './report.ts';

/** The line before the table of figures in docs/performance.md, and the line after it. */
export const tableMarks = ['<!-- figures -->', '<!-- end of figures -->'] as const;

type Column = readonly [title: string, cell: (row: ReportRow, date: string) => string];

const columns: readonly Column[] = [
  ['scenario', ({ scenario }) => scenario],
  ['ratio', (row) => `${shown(ratio(row, 'bare'), 2)}${holds(row) ? '' : ' missed'}`],
  ['bar', ({ bar, surplus }) => (surplus === undefined ? String(bar ?? '') : `+${surplus} µs`)],
  ['this server', (row) => figureWithUnit(row, 'ours')],
  ['bare', (row) => figureWithUnit(row, 'bare')],
  ['kube-apiserver', (row) => figureWithUnit(row, 'peer')],
  ['ops/s', ({ figures }) => shown(figures.ours?.operationsPerSecond, 0)],
  ['p50 ms', ({ figures }) => shown(figures.ours?.p50Ms, 2)],
  ['p99 ms', ({ figures }) => shown(figures.ours?.p99Ms, 2)],
  ['measured', (_, date) => date],
];

/** The units of the figures that rows compare. */
const units: Readonly<Record<keyof Figures, string>> = {
  cpuMicros: 'µs',
  operationsPerSecond: '/s',
  p50Ms: 'ms',
  p99Ms: 'ms',
  residentBytes: 'MiB',
};

/**
 * A page with the table between its marks updated: a row replaces the row of the same scenario, new
 * rows are added at the end, and all others stay. Throws if the page does not have the marks.
 */
export function updateTable(page: string, rows: readonly ReportRow[], date: string): string {
  const [begin, end] = tableMarks.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new RangeError(`the page must have the lines ${tableMarks.join(' and ')}`);
  }
  const lines = new Map(tableRows(page.slice(begin, end)).map((line) => [scenarioOf(line), line]));
  for (const row of rows) lines.set(row.scenario, tableLine(columns.map(([, cell]) => cell(row, date))));
  const head = [tableLine(columns.map(([title]) => title)), `|${'---|'.repeat(columns.length)}`];
  const table = [tableMarks[0], '', ...head, ...lines.values(), '', ''].join('\n');
  return `${page.slice(0, begin)}${table}${page.slice(end)}`;
}

/** The lines of a table after its head. */
function tableRows(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
}

function scenarioOf(line: string): string {
  return line.split('|')[1]?.trim() ?? '';
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function figureWithUnit(row: ReportRow, contender: Contender): string {
  const figure = comparedFigure(row, row.figures[contender]);
  return figure === '' ? '' : `${figure} ${units[row.compared]}`;
}

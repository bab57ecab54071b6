import { type Figures, ratio, type ReportRow } from './figures.ts';

type Column = readonly [title: string, width: number, cell: (row: ReportRow) => string];

const columns: readonly Column[] = [
  ['scenario', 38, ({ scenario }) => scenario],
  ['ops/s', 8, ({ figures }) => shown(figures.ours?.operationsPerSecond, 0)],
  ['p50 ms', 9, ({ figures }) => shown(figures.ours?.p50Ms, 2)],
  ['p99 ms', 9, ({ figures }) => shown(figures.ours?.p99Ms, 2)],
  ['cpu µs', 9, ({ figures }) => micros(figures.ours)],
  ['RSS MiB', 8, ({ figures }) => mebibytes(figures.ours)],
  ['bare', 9, (row) => comparedFigure(row, row.figures.bare)],
  ['ratio', 7, (row) => shown(ratio(row, 'bare'), 2)],
  ['bar', 6, (row) => verdict(row)],
  ['peer', 9, (row) => comparedFigure(row, row.figures.peer)],
  ['ratio', 7, (row) => shown(ratio(row, 'peer'), 2)],
];

/** The report's heading. */
export function heading(): string {
  return columns.map(([title, width], index) => aligned(title, width, index)).join('');
}

/** One line of the report, with its note behind it. */
export function line(row: ReportRow): string {
  const cells = columns.map(([, width, cell], index) => aligned(cell(row), width, index)).join('');
  return row.note ? `${cells}  ${row.note}` : cells;
}

/** Whether a row keeps to its bar; rows without one do. */
export function holds(row: ReportRow): boolean {
  const { figures, compared, bar, surplus } = row;
  const found = ratio(row, 'bare');
  const [ours, bare] = [figures.ours?.[compared], figures.bare?.[compared]];
  const isMuch = surplus !== undefined && ours !== undefined && bare !== undefined && ours - bare > surplus;
  return !isMuch && (bar === undefined || found === undefined || found <= bar);
}

function verdict(row: ReportRow): string {
  const { bar, surplus } = row;
  if (bar === undefined && surplus === undefined) return '';
  return `${bar ?? `+${surplus}`}${holds(row) ? '' : '!'}`;
}

/** The figure that a row compares, of one contender, without its unit; empty if it was not measured. */
export function comparedFigure({ compared }: ReportRow, figures: Figures | undefined): string {
  const value = figures?.[compared];
  if (value === undefined) return '';
  if (compared === 'residentBytes') return mebibytes(figures);
  return compared === 'cpuMicros' ? micros(figures) : shown(value, 2);
}

function micros(figures: Figures | undefined): string {
  const value = figures?.cpuMicros;
  return shown(value, value !== undefined && value < 20 ? 2 : 0);
}

function mebibytes(figures: Figures | undefined): string {
  return figures?.residentBytes === undefined ? '' : shown(figures.residentBytes / 2 ** 20, 0);
}

/** A number with some digits; empty if there is none. */
export function shown(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits);
}

function aligned(text: string, width: number, index: number): string {
  return index === 0 ? text.padEnd(width) : text.padStart(width);
}

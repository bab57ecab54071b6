// `make figures`: writes the rows of the last `make bench` (BENCH_OUTPUT) into the table of docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import type { ReportRow } from './figures.ts';
import { updateTable } from './figures-table.ts';
import { type BenchSettings, benchSettings } from './settings.ts';

/** The output of `make bench`. */
interface BenchOutput {
  readonly measured: string;
  readonly settings: Pick<BenchSettings, 'quick'>;
  readonly rows: readonly ReportRow[];
}

const page = 'docs/performance.md';
const { output } = benchSettings(process.env, []);
const { measured, settings, rows } = JSON.parse(await readFile(output, 'utf8')) as BenchOutput;
if (settings.quick) throw new RangeError(`${output}: the figures of a quick run are not kept`);
await writeFile(page, updateTable(await readFile(page, 'utf8'), rows, measured));
console.log(`${page}: ${rows.length} rows of ${measured}`);

// `make bench`: what each operation costs this server, beside the same of a bare program in the same run. See docs/performance.md.
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { fillCollection } from './collection.ts';
import type { ReportRow } from './figures.ts';
import { Lab } from './lab.ts';
import { heading, holds, line } from './report.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { benchSettings } from './settings.ts';

const settings = benchSettings(process.env, process.argv.slice(2));
const { only } = settings;
const chosen = scenarios.filter(({ name }) => only.length === 0 || only.some((word) => name.startsWith(word)));
if (chosen.length === 0) {
  console.error(`no such scenario; there are: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const measured = new Date().toISOString().slice(0, 10);
const rows: ReportRow[] = [];
const lab = await Lab.open(settings);
try {
  let bare: ReturnType<Lab['startBare']> | undefined;
  const bareResponses = (): ReturnType<Lab['startBare']> => {
    bare ??= lab.startBare('responses', path.join(lab.directory, 'responses'), lab.etcd.endpoint);
    return bare;
  };
  const report = (row: ReportRow): void => {
    rows.push(row);
    console.log(line(row));
  };
  const fill = fillCollection(lab);
  console.log(`node ${process.version}, ${cpus().length} cores shared by etcd, the servers and this load`);
  console.log(heading());
  for (const scenario of chosen) await scenario.run({ lab, fill, bareResponses, report });
} finally {
  await lab.close();
}
await writeFile(
  settings.output,
  `${JSON.stringify({ measured, settings: { ...settings, peer: settings.peer?.url }, rows }, null, 2)}\n`,
);
const missed = rows.filter((row) => !holds(row));
for (const row of missed) console.log(`over its bar: ${row.scenario}`);

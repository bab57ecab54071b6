// Holds the sources to the layer table of docs/architecture.md: a folder imports only from folders of lower rank, and no
// import cycle exists between files, nor between sub-folders of one folder. What is imported while a server runs is a
// `lateModule`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { report, sourceFiles, type SourceFile } from './source-files.ts';

/** Rank by folder, from the rows `| 4 | \`codec/\` | ... |` of the table. */
function layerTable(): ReadonlyMap<string, number> {
  const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| (\d+) \| `([a-z]+)\/` \|/gm);
  return new Map([...rows].map(([, rank, folder]) => [folder ?? '', Number(rank)]));
}

function importsOf(file: SourceFile): string[] {
  return [...file.text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file.path), target ?? ''),
  );
}

function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function layerFindings(files: readonly SourceFile[], ranks: ReadonlyMap<string, number>): string[] {
  return files.flatMap((file) => {
    const from = folderOf(file.path);
    const rank = ranks.get(from);
    if (rank === undefined) return [`${file.path}: folder ${from}/ is not in the layer table of docs/architecture.md`];
    return importsOf(file)
      .map(folderOf)
      .filter((to) => to !== from && (ranks.get(to) ?? Number.POSITIVE_INFINITY) >= rank)
      .map((to) => `${file.path}: ${from}/ (rank ${rank}) may not import ${to}/ (rank ${ranks.get(to)})`);
  });
}

/** What is imported only at a start, or by a command of `cl`, which ends. */
const importsAtStart = [
  'src/bin/',
  'src/cli/',
  'src/etcd/endpoint.ts',
  'src/process/run-api-server.ts',
  'src/server/serve-object-store.ts',
  'src/storage/remote/remote-store.ts',
];

function lateFindings(files: readonly SourceFile[]): string[] {
  const running = files.filter(({ path: file }) => !importsAtStart.some((start) => file.startsWith(start)));
  return running.flatMap(({ path: file, text }) =>
    text
      .split('\n')
      .filter((line) => /(?<!typeof )\bimport\('(?!node:)/.test(line) && !/\blateModule\(|^ *(?:\/\/|\*)/.test(line))
      .map((line) => `${file}: may be gone by then; use lateModule of package/: ${line.trim()}`),
  );
}

function cycleFindings(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const findings: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    const start = trail.indexOf(node);
    if (start >= 0) findings.push(`import cycle: ${[...trail.slice(start), node].join(' -> ')}`);
    if (start >= 0 || done.has(node)) return;
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return findings;
}

/** Which sub-folders import from which, within a folder. Files beside the sub-folders tie them together and are left out. */
function folderGraph(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    const folder = path.posix.dirname(from);
    if (!isSubFolder(folder)) continue;
    const others = targets.map((to) => path.posix.dirname(to)).filter((to) => to !== folder && isSubFolder(to));
    const known = folders.get(folder) ?? new Set<string>();
    for (const other of others) if (folderOf(other) === folderOf(folder)) known.add(other);
    folders.set(folder, known);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** Below a folder of the table: `src/storage/cache`. */
function isSubFolder(folder: string): boolean {
  return folder.split('/').length > 2;
}

const files = sourceFiles('src', '.ts');
const written = files.filter((file) => !file.path.startsWith('src/gen/'));
const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
report('layers', [
  ...layerFindings(written, layerTable()),
  ...lateFindings(written),
  ...cycleFindings(graph),
  ...cycleFindings(folderGraph(graph)),
]);

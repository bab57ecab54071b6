// Holds the sources to the layer table of docs/architecture.md: a folder imports only from folders of lower rank, no import
// cycle exists between files, nor between the sub-folders of a folder and the files beside them, and no folder is too
// large. What is imported while a server runs is a `lazyModule`. The rules on single files are in file-rules.ts.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileFindings } from './file-rules.ts';
import { report, sourceFiles, type SourceFile } from './source-files.ts';

/** Rank by folder, from the rows `| 4 | \`codec/\` | ... |` of the table. */
function layerTable(): ReadonlyMap<string, number> {
  const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| (\d+) \| `([a-z-]+)\/` \|/gm);
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
  'src/server/server-runtime.ts',
  'src/storage/remote/remote-store.ts',
  'src/tracing/open-tracing.ts',
];

function dynamicImportFindings(files: readonly SourceFile[]): string[] {
  const running = files.filter(({ path: file }) => !importsAtStart.some((start) => file.startsWith(start)));
  return running.flatMap(({ path: file, text }) =>
    text
      .split('\n')
      .filter((line) => /(?<!typeof )\bimport\('(?!node:)/.test(line) && !/\blazyModule\(|^ *(?:\/\/|\*)/.test(line))
      .map((line) => `${file}: may be gone by then; use lazyModule of package/: ${line.trim()}`),
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

/**
 * Which folders import from which, below one folder of the table: its sub-folders, and the folder itself for the files
 * beside them. An `index.ts` is the door of its folder and is left out.
 */
function folderGraph(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    if (path.posix.basename(from) === 'index.ts') continue;
    const folder = path.posix.dirname(from);
    const known = folders.get(folder) ?? new Set<string>();
    for (const to of targets.map((target) => path.posix.dirname(target))) {
      if (to !== folder && folderOf(to) === folderOf(folder)) known.add(to);
    }
    folders.set(folder, known);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** The most files that lie side by side in a folder. */
const largestFolder = 30;

function largeFolders(files: readonly SourceFile[]): string[] {
  const sizes = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file.path);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes]
    .filter(([, size]) => size > largestFolder)
    .map(([folder, size]) => `${folder}/ has ${size} files side by side, more than ${largestFolder}`);
}

const files = [...sourceFiles('src', '.ts'), ...sourceFiles('src', '.tsx')];
const written = files.filter((file) => !file.path.startsWith('src/gen/'));
const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
report('layers', [
  ...layerFindings(written, layerTable()),
  ...dynamicImportFindings(written),
  ...cycleFindings(graph),
  ...cycleFindings(folderGraph(graph)),
  ...largeFolders(written),
  ...fileFindings(written, [...files, ...sourceFiles('test', '.ts'), ...sourceFiles('hack', '.ts')]),
]);

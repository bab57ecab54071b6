import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';

/** The outputs of a build: their paths, imports and exports. */
type Outputs = Metafile['outputs'];

/** The path of the output of an entry or of a dynamic import, by its source. */
function outputOf(outputs: Outputs, source: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  if (!found) throw new Error(`${source} has no output`);
  return found[0];
}

/** The output, and all that it imports when it is loaded. */
function loadedWith(outputs: Outputs, path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const statics = (outputs[path]?.imports ?? []).filter(
    ({ kind, external }) => kind === 'import-statement' && !external,
  );
  for (const each of statics) loadedWith(outputs, each.path, found);
  return found;
}

/** The outputs that are loaded with some sources, without those of the other sources. */
export function loadedBy(outputs: Outputs, sources: readonly string[], others: readonly string[] = []): string[] {
  const all = (list: readonly string[]) => list.flatMap((each) => [...loadedWith(outputs, outputOf(outputs, each))]);
  const apart = new Set(all(others));
  return [...new Set(all(sources))].filter((path) => !apart.has(path)).toSorted();
}

/**
 * Joins outputs into one file in their folder, because Node takes a millisecond and more for each
 * file. All others then import from the joined one.
 */
export async function joinChunks(
  outputs: Outputs,
  joined: readonly string[],
  { name, ...options }: JoinOptions,
): Promise<void> {
  const folder = dirname(joined[0] ?? '');
  const numbers = new Map(joined.map((path, at) => [basename(path), at]));
  const renamed = (file: string, exported: string): string => `j${numbers.get(file) ?? ''}_${exported}`;
  const lines = joined.map((path) => {
    const file = basename(path);
    const list = (outputs[path]?.exports ?? []).map((each) => `${each} as ${renamed(file, each)}`);
    return `export { ${list.join(', ')} } from './${file}';`;
  });
  await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: folder, sourcefile: `${name}.in` },
    outfile: join(folder, name),
    bundle: true,
    format: 'esm',
    // What has no exports does nothing when it is loaded.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [
      {
        name: 'others stay',
        setup: (at) =>
          // A dynamic import of a joined one becomes one of the new file, which is loaded by then.
          at.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
            numbers.has(basename(path)) && kind !== 'dynamic-import' ? undefined : { path, external: true },
          ),
      },
    ],
  });
  for (const path of joined) await Promise.all([rm(path), rm(`${path}.map`, { force: true })]);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.js')).map((file) => join(folder, file));
  const entries = Object.keys(outputs).filter((path) => path.endsWith('.js') && dirname(path) !== folder);
  const rewriting = { numbers, name, exportsOf: exportsIn(outputs, joined), renamed };
  for (const path of [...files, ...entries]) await rewrite(path, rewriting);
}

interface JoinOptions extends BuildOptions {
  /** The name of the new file. */
  readonly name: string;
}

function exportsIn(outputs: Outputs, paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(paths.map((path) => [basename(path), outputs[path]?.exports ?? []]));
}

interface Rewriting {
  readonly numbers: ReadonlyMap<string, number>;
  readonly name: string;
  readonly exportsOf: ReadonlyMap<string, readonly string[]>;
  readonly renamed: (file: string, exported: string) => string;
}

/** Changes the imports of a file from files that were joined. Throws if one of them is left. */
async function rewrite(path: string, { numbers, name, exportsOf, renamed }: Rewriting): Promise<void> {
  const text = await readFile(path, 'utf8');
  const isJoined = (specifier: string): boolean => numbers.has(basename(specifier));
  const inFolder = (specifier: string): string => `${dirname(specifier)}/${name}`;
  const changed = text
    .replaceAll(/import\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g, (whole, list: string, from: string) => {
      if (!isJoined(from)) return whole;
      const parts = list.split(',').map((part) => {
        const [exported = '', local = exported] = part.trim().split(/\s+as\s+/);
        return `${renamed(basename(from), exported)} as ${local}`;
      });
      return `import{${parts.join(',')}}from"${inFolder(from)}"`;
    })
    .replaceAll(/import\s*"([^"]+)"/g, (whole, from: string) => (isJoined(from) ? `import"${inFolder(from)}"` : whole))
    .replaceAll(/import\("([^"]+)"\)/g, (whole, from: string) => {
      if (!isJoined(from)) return whole;
      const file = basename(from);
      const members = (exportsOf.get(file) ?? []).map((each) => `${each}:m.${renamed(file, each)}`);
      return `import("${inFolder(from)}").then(m=>({${members.join(',')}}))`;
    });
  const left = [...numbers.keys()].find((file) => new RegExp(`"\\.{1,2}/(?:cl/)?${file}"`).test(changed));
  if (left !== undefined) throw new Error(`${path} imports ${left}, which was joined, in an unknown form`);
  if (changed !== text) await writeFile(path, changed);
}

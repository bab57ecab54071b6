import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the compiler wrote from src/, and the copy that is published, in the folder that has this program. */
const compiled = fileURLToPath(new URL('../src/', import.meta.url));
const published = fileURLToPath(new URL('../bundle/types/', import.meta.url));

/** Names of other files in a file of types: in imports, and in types like `import("./one.ts").One`. */
const imported = /(\bfrom |\bimport\()(["'])(\.{1,2}\/[^"']+)\2/g;

/**
 * Copies the types of the published entries, such as `server/index`, and of all files that they
 * mention: a tenth of those that the compiler wrote. Returns their texts by name.
 */
export async function publishTypes(entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of entries) await collect(join(compiled, `${entry}.d.ts`), files);
  await rm(published, { recursive: true, force: true });
  for (const [name, text] of files) await write(name, text);
  return files;
}

/**
 * Writes the types that `require` of an entry has, `index.d.cts`. The compiler takes the others for
 * those of an ES module, which it does not let a CommonJS file use with each of its settings.
 */
export async function publishRequiredTypes(
  entry: string,
  values: readonly string[],
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const from = `'./${entry.slice(entry.lastIndexOf('/') + 1)}.js'`;
  const module = `import(${from}, { with: { 'resolution-mode': 'import' } })`;
  const lines = values.flatMap((name) => {
    const { comment, isClass } = declarationOf(name, [...files.values()]);
    const type = isClass ? [`export type ${name} = ${module}.${name};`] : [];
    return [...(comment ? [comment] : []), `export declare const ${name}: typeof ${module}.${name};`, ...type];
  });
  const all = `export type * from ${from} with { 'resolution-mode': 'import' };`;
  await write(`${entry}.d.cts`, [all, ...lines, ''].join('\n'));
}

async function collect(file: string, files: Map<string, string>): Promise<void> {
  const name = relative(compiled, file);
  if (files.has(name)) return;
  const text = await readFile(file, 'utf8');
  const fileOf = (path: string): string => join(dirname(file), path.replace(/\.ts$/, '.d.ts'));
  // Some settings of the compiler want the ending that programs have.
  files.set(
    name,
    text.replaceAll(
      imported,
      (_, verb, quote, path: string) => `${verb}${quote}${path.replace(/\.ts$/, '.js')}${quote}`,
    ),
  );
  for (const [, , , path = ''] of text.matchAll(imported)) await collect(fileOf(path), files);
}

async function write(name: string, text: string): Promise<void> {
  const file = join(published, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The comment of a value where it is declared, and whether it is a class. Throws if it is not found. */
function declarationOf(
  name: string,
  texts: readonly string[],
): { readonly comment: string; readonly isClass: boolean } {
  const pattern = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?^export declare (?:abstract )?(class|const|function) ${name}\\b`,
    'm',
  );
  for (const text of texts) {
    const [found, comment = '', kind] = pattern.exec(text) ?? [];
    if (found !== undefined) return { comment: comment.trimEnd(), isClass: kind === 'class' };
  }
  throw new Error(`no file declares ${name}`);
}

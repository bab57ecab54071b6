// Rules on single files of src/: a base name is there once, and a file of a few lines is part of the file that imports it.
import path from 'node:path';
import type { SourceFile } from './source-files.ts';

/** The findings of both rules. `users` are all files whose imports count: those of src/, test/ and hack/. */
export function fileFindings(files: readonly SourceFile[], users: readonly SourceFile[]): readonly string[] {
  return [...repeatedNames(files), ...smallFiles(files, users)];
}

/** Names that each of several folders has for the same part: the folders, and their names. */
const sharedNames: readonly (readonly [folder: RegExp, names: readonly string[]])[] = [
  [/^src\/(?:client|server|testing)$/, ['index.ts']],
  [/^src\/(?:resources|apiextensions)\//, ['definition.ts', 'strategy.ts', 'validate.ts', 'convert.ts', 'columns.ts']],
  [/^src\/controllers\//, ['definition.ts', 'reconcile.ts']],
  [/^src\/cli\/commands\//, ['rows.ts', 'flags.ts']],
];

function hasSharedName(file: string): boolean {
  const { dir, base } = path.posix.parse(file);
  return sharedNames.some(([folder, names]) => folder.test(dir) && names.includes(base));
}

function repeatedNames(files: readonly SourceFile[]): readonly string[] {
  const byName = new Map<string, string[]>();
  for (const { path: file } of files.filter((each) => !hasSharedName(each.path))) {
    const name = path.posix.basename(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName]
    .filter(([, paths]) => paths.length > 1)
    .map(([, paths]) => `${paths.join(', ')}: files of one name; name each for what it exports`);
}

/** A file with fewer lines of code than this is small. */
const smallFile = 20;

/** A file gets no further part that would make it longer than this. */
const longFile = 350;

/** An importer with as many imports from the folder of a file is a table, and the file is a row of it. */
const rowsOfTable = 5;

function smallFiles(files: readonly SourceFile[], users: readonly SourceFile[]): readonly string[] {
  const importersOf = new Map<string, Map<string, Import>>();
  for (const found of users.flatMap(importsOf)) {
    importersOf.set(found.target, (importersOf.get(found.target) ?? new Map<string, Import>()).set(found.from, found));
  }
  return files.flatMap((file) => {
    const [only, ...others] = importersOf.get(file.path)?.values() ?? [];
    const importer =
      only && others.length === 0 && !only.isDynamic ? files.find((each) => each.path === only.from) : undefined;
    return importer && isPartOf(file, importer)
      ? [`${file.path} has ${codeLines(file.text)} lines, and ${importer.path} alone imports it: move them there`]
      : [];
  });
}

/** False for what another room knows, for a row of a table, and where the importer would be too long. */
function isPartOf(file: SourceFile, importer: SourceFile): boolean {
  const { dir } = path.posix.parse(file.path);
  const besides = importsOf(importer).filter(({ target }) => path.posix.dirname(target) === dir);
  return (
    codeLines(file.text) < smallFile &&
    !hasSharedName(file.path) &&
    roomOf(file) === roomOf(importer) &&
    besides.length < rowsOfTable &&
    linesOf(file.text) + linesOf(importer.text) <= longFile
  );
}

function roomOf({ path: file }: SourceFile): string {
  return file.split('/')[1] ?? '';
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** The lines of a text that are neither blank nor comments. */
function codeLines(text: string): number {
  return text.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length;
}

interface Import {
  readonly from: string;
  readonly target: string;
  /** Whether it is imported while the program runs. */
  readonly isDynamic: boolean;
}

function importsOf({ path: from, text }: SourceFile): readonly Import[] {
  return [...text.matchAll(/(?:from|import)\s*(\()?\s*'(\.[^']+)'/g)].map(([, dynamic, target = '']) => ({
    from,
    target: path.posix.join(path.posix.dirname(from), target),
    isDynamic: dynamic !== undefined,
  }));
}

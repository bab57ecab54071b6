import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../source-files.ts';
import type { CodeBlock, Page } from './markdown.ts';

/** Endings of files by the languages of blocks. */
const endings: Readonly<Record<string, string>> = {
  ts: 'ts',
  typescript: 'ts',
  js: 'js',
  javascript: 'js',
};

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  allowJs: true,
  checkJs: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node', 'mocha'],
  // The types as they were compiled last; the published copies of them may be older.
  paths: Object.fromEntries(
    Object.entries({ '': 'server', '/client': 'client', '/testing': 'testing' }).map(([entry, folder]) => [
      `cl-apiserver${entry}`,
      [path.join(root, `dist/src/${folder}/index.d.ts`)],
    ]),
  ),
};

/** The blocks of a page that make a file: the later ones are marked `continued`. */
interface ExampleFile {
  readonly name: string;
  readonly blocks: readonly CodeBlock[];
}

/**
 * Compiles the examples in TypeScript and JavaScript against the package. The blocks of a page with
 * `file=` are in one folder and may import each other; a block with `from=` is compiled in the
 * example that it is a part of.
 */
export async function findTypeErrors(pages: readonly Page[]): Promise<string[]> {
  const files = pages.flatMap(examplesOf);
  if (files.length === 0) return [];
  // Inside the package, so that libraries are found.
  const folder = path.join(root, '.cache', `docs-examples-${process.pid}`);
  try {
    await Promise.all(files.map((file) => write(folder, file)));
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*'] }));
    const output = await compile(folder);
    return output.split('\n').flatMap((line) => findingOf(line, files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function examplesOf({ path: page, blocks }: Page): ExampleFile[] {
  const files: ExampleFile[] = [];
  for (const block of blocks) {
    const ending = endings[block.language];
    if (ending === undefined || block.marks.has('unchecked') || block.settings['from'] !== undefined) continue;
    const last = files.at(-1);
    const folder = page.replaceAll(/[^\w]/g, '-');
    const name = `${folder}/${block.settings['file'] ?? `line-${block.line}.${ending}`}`;
    if (block.marks.has('continued') && last) files.splice(-1, 1, { ...last, blocks: [...last.blocks, block] });
    else files.push({ name, blocks: [block] });
  }
  return files;
}

async function write(folder: string, { name, blocks }: ExampleFile): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  // A block without imports is a module too, so that the names of blocks do not meet.
  await writeFile(file, `${blocks.map(({ text }) => text).join('\n')}\nexport {};\n`);
}

function compile(folder: string): Promise<string> {
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  return new Promise((resolve, reject) => {
    execFile(compiler, ['-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout) => {
      if (error && stdout === '') reject(error);
      else resolve(stdout);
    });
  });
}

/** A line of the compiler as a finding at its line of the page. */
function findingOf(text: string, files: readonly ExampleFile[]): string[] {
  const [, name, row = '', message = ''] = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(text) ?? [];
  if (name === undefined) return text.startsWith('error ') ? [text] : [];
  let line = Number(row);
  for (const { page, line: first, text: code } of files.find((file) => file.name === name)?.blocks ?? []) {
    const count = code.split('\n').length;
    if (line <= count) return [`${page}:${first + line - 1}: ${message}`];
    line -= count;
  }
  return [`${name}: ${message}`];
}

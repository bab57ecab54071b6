import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = 'dist/test/unit';

/** How many importers lie between a file and its tests at most, and how many tests are chosen then. */
const limits = { steps: 4, tests: 12 };

/** Messages are data for the code: these tests read all of them. */
const testsOfMessages = ['catalogue/**/*', 'codec/golden', 'resources/**/*', 'scheme/**/*'].map(
  (test) => `${folder}/${test}.test.js`,
);

/** The compiled files below a root. Paths begin with `dist/`. */
interface Compiled {
  readonly files: readonly string[];
  readonly textOf: (file: string) => string;
  /** The files that import a file, also when they need it first. */
  readonly importers: ReadonlyMap<string, readonly string[]>;
}

/**
 * The unit tests of changed files, as paths and patterns below a root in which they are compiled. Of a file of src/ or
 * hack/: the tests that import it, and tests of its folder with a helper that does; without such a test the nearest ones
 * that import its importers, at most a dozen, those with a name like its own first. Of a file that none of these reaches:
 * the tests of the innermost folder. Of a helper of tests: the tests that import it, through other helpers too. Of other
 * files: the tests that have their name or folder in a text. Of messages (proto/api, src/gen): the tests of all messages.
 */
export function chooseUnitTests(root: string, changed: readonly string[]): readonly string[] {
  const compiled = readCompiled(root);
  return [...new Set(changed.flatMap((file) => testsOf(file, compiled)))].toSorted();
}

/** The files of a git work tree that have changes since the last commit, or are not in it, with slashes. */
export function changedFiles(root: string): readonly string[] {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  // A line is two letters, a space, and a path.
  const lines = execFileSync('git', status, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return lines.map((line) => line.slice(3));
}

function readCompiled(root: string): Compiled {
  const files = ['src', 'test', 'hack'].flatMap((part) =>
    readdirSync(join(root, 'dist', part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join('dist', part, file)),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return { files, textOf: (file) => texts.get(file) ?? '', importers };
}

function testsOf(changed: string, compiled: Compiled): readonly string[] {
  if (/^(?:proto\/api|src\/gen)\//.test(changed)) return testsOfMessages;
  const ofFolder = (): readonly string[] => testsOfFolder(dirname(changed).replace(/^src\//, `${folder}/`), compiled);
  if (!/^(?:src|test|hack)\/.*\.tsx?$/.test(changed)) {
    const found = testsNaming(changed, compiled);
    return found.length > 0 ? found : ofFolder();
  }
  const file = join('dist', changed.replace(/\.tsx?$/, '.js'));
  if (changed.startsWith('test/')) return isTest(file) ? unitTests([file]) : testsThrough(file, compiled, isOfTests);
  const found = nearestTests(file, compiled);
  return found.length > 0 ? found : ofFolder();
}

const isTest = (file: string): boolean => file.endsWith('.test.js');
const isOfTests = (file: string): boolean => file.startsWith('dist/test/');

function unitTests(files: readonly string[]): readonly string[] {
  return files.filter((file) => file.startsWith(`${folder}/`) && isTest(file));
}

/** Tests that read a file, or through a helper. Only a text shows it: the path, or its folder before another text. */
function testsNaming(changed: string, compiled: Compiled): readonly string[] {
  const at = dirname(changed);
  const end = at.includes('/') ? '(?:/?[\'"`]|/\\$\\{)' : '/(?:[\'"`]|\\$\\{)';
  const named = new RegExp(`${escaped(changed)}|${escaped(at)}${end}`);
  const naming = compiled.files.filter((file) => file.startsWith(`${folder}/`) && named.test(compiled.textOf(file)));
  return unitTests([...naming, ...naming.flatMap((file) => testsThrough(file, compiled, isOfTests))]);
}

function escaped(path: string): string {
  return path.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** The tests of the innermost folder that has some; none of the folder of all tests. */
function testsOfFolder(at: string, compiled: Compiled): readonly string[] {
  if (!at.startsWith(`${folder}/`)) return [];
  const hasTests = compiled.files.some((each) => each.startsWith(`${at}/`) && isTest(each));
  return hasTests ? [`${at}/**/*.test.js`] : testsOfFolder(dirname(at), compiled);
}

/** The tests of a file, or else those of its importers, of theirs, and so on. */
function nearestTests(file: string, compiled: Compiled): readonly string[] {
  // Helpers of other folders start servers, which import nearly everything.
  const [, , room = ''] = file.split('/');
  const testsImporting = (each: string): readonly string[] =>
    testsThrough(each, compiled, (helper) => helper.startsWith(`${folder}/${room}/`));
  const direct = testsImporting(file);
  if (direct.length > 0) return direct;
  const seen = new Set([file]);
  let level = [file];
  for (let step = 0; step < limits.steps && level.length > 0; step++) {
    const next = new Set(level.flatMap((each) => compiled.importers.get(each) ?? []));
    level = [...next].filter((each) => !isOfTests(each) && !seen.has(each));
    for (const each of level) seen.add(each);
    const found = [...new Set(level.flatMap(testsImporting))];
    if (found.length > 0) return mostAlike(found, file).slice(0, limits.tests);
  }
  return [];
}

/** The tests that import a file, or helpers that do and that `isNear` accepts. */
function testsThrough(file: string, { importers }: Compiled, isNear: (helper: string) => boolean): readonly string[] {
  const seen = new Set([file]);
  for (const each of seen) {
    for (const importer of importers.get(each) ?? []) {
      if (isOfTests(importer) && (isNear(importer) || (each === file && isTest(importer)))) seen.add(importer);
    }
  }
  return unitTests([...seen]);
}

/** Sorts tests by how many words of their paths are in the path of a file. */
function mostAlike(tests: readonly string[], file: string): readonly string[] {
  const wordsOf = (path: string): string[] =>
    path.replace(/^dist\/(?:src|test\/unit)|(?:\.test)?\.js$/g, '').split(/[/-]/);
  const words = new Set(wordsOf(file));
  const rank = (test: string): number => wordsOf(test).filter((word) => words.has(word)).length;
  return tests.toSorted((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
}

/**
 * Prints the unit tests of the files that have changes since the last commit, or all of them if there are none
 * (`make unit`). Of a file of src/: the tests that import it, and tests of its folder with a helper that does; without
 * such a test the nearest ones that import its importers, at most a dozen, those with a name like its own first. Of a file
 * that none of these reaches: the tests of the innermost folder. Of a helper: the tests that import it. The tests must be
 * compiled. Paths as arguments are taken for the changed files.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = 'dist/test/unit';
const all = `${folder}/**/*.test.js`;

/** How many importers lie between a file and its tests at most, and how many tests are chosen then. */
const limits = { steps: 4, tests: 12 };

const isTest = (file: string): boolean => file.endsWith('.test.js');
const compiled = ['dist/src', 'dist/test'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(root, file)),
);

/** The files that import a file, also when they need it first. */
const importers = new Map<string, string[]>();
for (const file of compiled) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
    const imported = join(dirname(file), path);
    importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
}

function testsOf(changed: string): readonly string[] {
  const file = join('dist', changed.replace(/\.tsx?$/, '.js'));
  const [root = '', first = '', second = ''] = changed.split('/');
  const own = join(folder, root === 'src' ? first : second);
  const found = isTest(file) ? [file] : nearestTests(file, own);
  if (found.length > 0) return found;
  const near = innermostFolder(dirname(file).replace(/^dist\/(?:src|test\/unit)/, folder));
  return near === folder ? [] : [`${near}/**/*.test.js`];
}

function innermostFolder(at: string): string {
  const hasTests = compiled.some((each) => each.startsWith(`${at}/`) && isTest(each));
  return hasTests || at === folder || at === '.' ? at : innermostFolder(dirname(at));
}

/** The tests of a file, or else those of its importers, of theirs, and so on. */
function nearestTests(file: string, own: string): readonly string[] {
  const direct = importingTests(file, own);
  if (direct.length > 0) return direct;
  const seen = new Set([file]);
  let level = [file];
  for (let step = 0; step < limits.steps && level.length > 0; step++) {
    const next = new Set(level.flatMap((each) => importers.get(each) ?? []));
    level = [...next].filter((each) => each.startsWith('dist/src/') && !seen.has(each));
    for (const each of level) seen.add(each);
    const found = [...new Set(level.flatMap((each) => importingTests(each, own)))];
    if (found.length > 0) return mostAlike(found, file).slice(0, limits.tests);
  }
  return [];
}

/** Helpers of other folders start servers, which import nearly everything. */
function importingTests(file: string, own: string): readonly string[] {
  const seen = new Set([file]);
  for (const each of seen) {
    for (const importer of importers.get(each) ?? []) {
      const isNear = importer.startsWith(`${own}/`) || (each === file && isTest(importer));
      if (importer.startsWith('dist/test/') && isNear) seen.add(importer);
    }
  }
  return [...seen].filter((each) => each.startsWith(`${folder}/`) && isTest(each));
}

/** Sorts tests by how many words of their paths are in the path of a file. */
function mostAlike(tests: readonly string[], file: string): readonly string[] {
  const wordsOf = (path: string): string[] =>
    path.replace(/^dist\/(?:src|test\/unit)|(?:\.test)?\.js$/g, '').split(/[/-]/);
  const words = new Set(wordsOf(file));
  const rank = (test: string): number => wordsOf(test).filter((word) => words.has(word)).length;
  return tests.toSorted((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
}

/** Lines of git are two letters, a space, and a path, or two with an arrow between them. */
function changedFiles(): readonly string[] {
  const status = ['status', '--porcelain', '--untracked-files=all', '--', 'src', 'test/unit'];
  const lines = execFileSync('git', status, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return lines.map((line) => line.slice(3).replace(/^.* -> /, ''));
}

const given = process.argv.slice(2);
const tests = new Set((given.length > 0 ? given : changedFiles()).flatMap(testsOf));
console.log(tests.size > 0 ? [...tests].toSorted().join(' ') : all);

/**
 * Prints the unit tests of the files that have changes since the last commit, or all of them if there are none
 * (`make unit`). Of a file of src/: the tests of any folder that import it, and those of its folder with a helper that does;
 * without such a test all of its folder, the innermost that has some. Of a helper: the tests that import it. The tests must be compiled.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = 'dist/test/unit';
const all = `${folder}/**/*.test.js`;
const isTest = (file: string): boolean => file.endsWith('.test.js');
const compiled = readdirSync('dist/test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => join('dist/test', file));

/** The files of dist/test/ that import a file. */
const importers = new Map<string, string[]>();
for (const file of compiled) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    const imported = join(dirname(file), path);
    importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
}

function testsOf(changed: string): readonly string[] {
  const file = join('dist', changed.replace(/\.ts$/, '.js'));
  const [root = '', first = '', second = ''] = changed.split('/');
  const own = join(folder, root === 'src' ? first : second);
  const found = isTest(file) ? [file] : importingTests(file, own);
  if (found.length > 0) return found;
  const near = innermostFolder(dirname(file).replace(/^dist\/(?:src|test\/unit)/, folder));
  return near === folder ? [] : [`${near}/**/*.test.js`];
}

function innermostFolder(at: string): string {
  const hasTests = compiled.some((each) => each.startsWith(`${at}/`) && isTest(each));
  return hasTests || at === folder || at === '.' ? at : innermostFolder(dirname(at));
}

/** Helpers of other folders start servers, which import nearly everything. */
function importingTests(file: string, own: string): readonly string[] {
  const seen = new Set([file]);
  for (const each of seen) {
    for (const importer of importers.get(each) ?? []) {
      if (importer.startsWith(`${own}/`) || (each === file && isTest(importer))) seen.add(importer);
    }
  }
  return [...seen].filter((each) => each.startsWith(`${folder}/`) && isTest(each));
}

/** Lines of git are two letters, a space, and a path, or two with an arrow between them. */
const status = ['status', '--porcelain', '--untracked-files=all', '--', 'src', 'test/unit'];
const lines = execFileSync('git', status, { encoding: 'utf8' }).split('\n').filter(Boolean);
const tests = new Set(lines.map((line) => line.slice(3).replace(/^.* -> /, '')).flatMap(testsOf));
console.log(tests.size > 0 ? [...tests].toSorted().join(' ') : all);

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedFiles, chooseUnitTests } from '../../../hack/choose-unit-tests.ts';

/** Compiled files with what they import; a text that is no path is their text. */
const files: Readonly<Record<string, readonly string[]>> = {
  'src/api/get.js': [],
  'src/api/list.js': [],
  'src/api/handler.js': ['./get.js', './list.js'],
  'src/api/row.js': [],
  'src/storage/store.js': [],
  'src/server/server.js': ['../api/handler.js', '../storage/store.js'],
  'src/dashboard/page.js': [],
  'hack/inner.js': [],
  'hack/tool.js': ['./inner.js'],
  'test/http/until.js': [],
  'test/http/server.js': ['../../src/server/server.js'],
  'test/http/story.test.js': ['./server.js', './until.js', '../../src/api/list.js'],
  'test/unit/api/get.test.js': ['../../../src/api/get.js'],
  'test/unit/api/fixture.js': ['../../../src/api/row.js', '../../http/until.js'],
  'test/unit/api/rows.test.js': ['./fixture.js'],
  'test/unit/api/handler.test.js': ['../../../src/api/handler.js'],
  'test/unit/dashboard/one.test.js': [],
  'test/unit/hack/tool.test.js': ['../../../hack/tool.js'],
  'test/unit/server/server.test.js': ['../../http/server.js'],
  'test/unit/codec/golden.test.js': ["read('test/golden');"],
  'test/unit/deploy/units.test.js': ['read(`deploy/units/${name}`);'],
  'test/unit/deploy/compose.test.js': ["read('deploy/compose.yaml');"],
};

describe('the unit tests of changed files', () => {
  let root: string;
  const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' });
  const write = (file: string, text: string): void => {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'choose-unit-tests-'));
    for (const [file, imports] of Object.entries(files)) {
      const lines = imports.map((one) => (one.startsWith('.') ? `import { x } from '${one}';\n` : `${one}\n`));
      write(`dist/${file}`, lines.join(''));
    }
  });
  after(() => rmSync(root, { recursive: true }));

  const chosen: readonly (readonly [why: string, changed: string, tests: readonly string[]])[] = [
    ['the tests that import it', 'src/api/get.ts', ['api/get']],
    ['those with a helper of its folder that does', 'src/api/row.ts', ['api/rows']],
    ['those of its importers', 'src/api/list.ts', ['api/handler']],
    ['none through helpers that start servers', 'src/storage/store.ts', []],
    ['those of its folder', 'src/dashboard/views/view.tsx', ['dashboard/**/*']],
    ['those of its folder', 'src/dashboard/page.css', ['dashboard/**/*']],
    ['itself', 'test/unit/api/get.test.ts', ['api/get']],
    ['those of a helper, through other helpers', 'test/http/until.ts', ['api/rows']],
    ['none for a story', 'test/http/story.test.ts', []],
    ['those of a tool, through other tools', 'hack/inner.ts', ['hack/tool']],
    ['those that read its folder', 'test/golden/core.v1.Pod.json', ['codec/golden']],
    ['those that read it', 'deploy/compose.yaml', ['deploy/compose']],
    ['those that read files beside it', 'deploy/units/one.service', ['deploy/units']],
    ['none for data that none reads', 'hack/flags.json', []],
    ['none for a page', 'README.md', []],
  ];
  for (const [why, changed, tests] of chosen) {
    it(`are ${why}: ${changed}`, () => {
      assert.deepEqual(
        chooseUnitTests(root, [changed]),
        tests.map((test) => `dist/test/unit/${test}.test.js`),
      );
    });
  }

  it('are those of all messages for a message and what is made of it', () => {
    const ofMessages = chooseUnitTests(root, ['proto/api/core/v1/pod.proto']);
    assert.ok(ofMessages.includes('dist/test/unit/resources/**/*.test.js'));
    assert.deepEqual(chooseUnitTests(root, ['src/gen/schema.ts', 'src/gen/types/core-v1.ts']), ofMessages);
  });

  it('are of each file that git has as changed, new, moved or removed', () => {
    for (const file of ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']) write(file, `export const x = '${file}';\n`);
    write('.gitignore', 'dist/\n');
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a', 'commit', '--quiet', '-m', 'all');
    assert.deepEqual(changedFiles(root), []);
    write('src/a.ts', 'changed');
    write('src/new folder/é.ts', '');
    git('mv', 'src/b.ts', 'src/moved.ts');
    git('rm', '--quiet', 'src/c.ts');
    assert.deepEqual(changedFiles(root).toSorted(), [
      'src/a.ts',
      'src/b.ts',
      'src/c.ts',
      'src/moved.ts',
      'src/new folder/é.ts',
    ]);
  });
});

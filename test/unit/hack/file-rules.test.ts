import assert from 'node:assert/strict';
import { fileFindings } from '../../../hack/file-rules.ts';

function file(path: string, ...lines: readonly string[]): { path: string; text: string } {
  return { path, text: lines.map((line) => `${line}\n`).join('') };
}

const imports = (...targets: readonly string[]): string[] => targets.map((target) => `import { x } from '${target}';`);
const code = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `export const x${index} = ${index};`);

describe('files of one name', () => {
  const found = (...paths: readonly string[]): number =>
    fileFindings(
      paths.map((path) => file(path, ...code(20))),
      [],
    ).length;

  it('are refused', () => assert.equal(found('src/api/table.ts', 'src/codec/table.ts'), 1));
  it('may be parts that each folder has', () => {
    assert.equal(found('src/resources/core/pods/validate.ts', 'src/resources/apps/deployments/validate.ts'), 0);
    assert.equal(found('src/resources/core/pods/validate.ts', 'src/registry/validate.ts'), 0);
    assert.equal(found('src/api/validate.ts', 'src/registry/validate.ts'), 1);
  });
});

describe('a small file with one importer', () => {
  const small = file('src/api/small.ts', '// A comment.', '', '/** Another. */', ...code(19));
  const user = file('src/api/user.ts', ...imports('./small.ts'), ...code(20));
  const found = (files: readonly { path: string; text: string }[], others: typeof files = []): readonly string[] =>
    fileFindings(files, [...files, ...others]);

  it('moves into it', () => {
    assert.deepEqual(found([small, user]), [
      'src/api/small.ts has 19 lines, and src/api/user.ts alone imports it: move them there',
    ]);
    const twice = file(
      'src/api/user.ts',
      "import type { X } from './small.ts';",
      ...imports('./small.ts'),
      ...code(20),
    );
    assert.equal(found([small, twice]).length, 1);
  });

  it('stays if it has 20 lines, or if a test or another file imports it', () => {
    assert.deepEqual(found([file('src/api/small.ts', ...code(20)), user]), []);
    assert.deepEqual(
      found([small, user], [file('test/unit/api/small.test.ts', ...imports('../../../src/api/small.ts'))]),
      [],
    );
    assert.deepEqual(found([small, user, file('src/server/other.ts', ...imports('../api/small.ts'), ...code(20))]), []);
  });

  it('stays in its room, as a row of a table, if it is loaded late, and beside a long file', () => {
    assert.deepEqual(found([small, file('src/server/user.ts', ...imports('../api/small.ts'), ...code(20))]), []);
    const rows = ['./small.ts', './b.ts', './c.ts', './d.ts', './e.ts'];
    assert.deepEqual(found([small, file('src/api/user.ts', ...imports(...rows), ...code(20))]), []);
    const late = file('src/api/user.ts', "const load = lazyModule(() => import('./small.ts'));", ...code(20));
    assert.deepEqual(found([small, late]), []);
    assert.deepEqual(found([small, file('src/api/user.ts', ...imports('./small.ts'), ...code(340))]), []);
  });
});

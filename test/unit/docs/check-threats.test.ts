import assert from 'node:assert/strict';
import { findOwnerlessThreats } from '../../../hack/docs/check-threats.ts';
import { readPage } from '../../../hack/docs/markdown.ts';

/** The findings of a table of threats, in a repository with these files. */
function findings(rows: string, headings = 'threat | defence | code | test'): string[] {
  const files = new Set(['src/authn', 'src/codec/decode.ts', 'test/http/a.test.ts', 'test/unit/codec']);
  const page = readPage({ path: 'docs/threats.md', text: `| ${headings} |\n|---|---|---|---|\n${rows}\n` });
  return findOwnerlessThreats([page], (file) => files.has(file));
}

describe('the check of the threats', () => {
  it('wants an owner and a test that exist for each', () => {
    assert.deepEqual(findings('| x | y | `authn`, `codec/decode` | `http/a`, `unit/codec`; and `--a` |'), []);
    assert.deepEqual(findings('| x | y | `authn` | nothing to test |'), []);
    assert.deepEqual(findings('| x | y | none | `http/a` |'), ['docs/threats.md:3: no owner']);
    assert.deepEqual(findings('| x | y | `authn` | |'), ['docs/threats.md:3: no test, and no reason for none']);
    assert.deepEqual(findings('| x | y | `gone` | `http/b` |'), [
      'docs/threats.md:3: code gone: no such file',
      'docs/threats.md:3: test http/b: no such file',
    ]);
    assert.deepEqual(findings('| x | y | `authn` | `http/a` | z |'), ['docs/threats.md:3: 5 cells below 4 headings']);
    assert.match(findings('| x | y | z | `http/a` |', 'threat | defence | why | test').join(), /no column code/);
  });
});

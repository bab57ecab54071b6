import assert from 'node:assert/strict';
import { finalizerWarnings } from '../../../../src/apiextensions/custom-resources/finalizer-warnings.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { type EmulatedRelease, newestEmulated } from '../../../../src/scheme/emulated-release.ts';

const withFinalizers = (...finalizers: string[]) => ({ metadata: { finalizers } });
const object = withFinalizers('example.com/a', 'plain', 'orphan', 'domain.example', 'not ok', 'plain');
const why = 'to avoid accidental conflicts with other finalizer writers';
const plain = `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${why}`;

function warningsOf(release: EmulatedRelease['release'], old?: object, subresource = ''): readonly string[] {
  const write = { emulated: { ...newestEmulated, release }, identifiers: identifiersOf('kubernetes'), subresource };
  return finalizerWarnings(object, { ...write, old: old && { ...old } });
}

describe('warnings of finalizers of custom objects', () => {
  it('name finalizers without a domain, since 1.32 without a path, and malformed ones', () => {
    const [domain, form, domainOfForm, ...rest] = warningsOf('1.36');
    const asked = `prefer a domain-qualified finalizer name including a path (/) ${why}`;
    assert.equal(domain, `metadata.finalizers: "domain.example": ${asked}`);
    assert.match(form ?? '', /^metadata\.finalizers: "not ok": name part must consist of alphanumeric characters/);
    assert.match(domainOfForm ?? '', /"not ok": prefer a domain-qualified finalizer name to avoid/);
    assert.deepEqual(rest, [plain]);
    assert.ok(!warningsOf('1.31').join('').includes('a path'));
  });

  it('are about added finalizers only, in releases that have them', () => {
    assert.deepEqual(warningsOf('1.36', withFinalizers('not ok', 'domain.example')), [plain]);
    assert.deepEqual(warningsOf('1.36', undefined, 'status'), []);
    assert.deepEqual(warningsOf('1.28'), []);
  });
});

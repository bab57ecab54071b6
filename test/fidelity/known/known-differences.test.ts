import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { knownDifferences, knownDifferencesOf } from './known-differences.ts';

/** Names and last columns of the rows of docs/differences.md. */
function documentedRows(): readonly (readonly [name: string, fuzzed: string])[] {
  const text = readFileSync(new URL('../../../../docs/differences.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return [cells[1]?.replaceAll('`', '') ?? '', cells.at(-2) ?? ''];
  });
}

describe('Differences that are meant', () => {
  const documented = documentedRows();
  const rows = new Map(documented);

  it('are documented, each under the name that the comparison has for it', () => {
    const unknown = knownDifferences.filter(({ row }) => rows.get(row) !== 'yes').map(({ row }) => row);
    assert.deepEqual(unknown, [], 'rows that docs/differences.md does not have, or does not mark `yes`');
  });

  it('are known to the comparison where random requests can show them', () => {
    const names = new Set(knownDifferences.map(({ row }) => row));
    const fuzzed = [...rows].filter(([, shown]) => shown === 'yes').map(([name]) => name);
    assert.deepEqual(
      fuzzed.filter((name) => !names.has(name)),
      [],
      'rows marked `yes` that nothing matches',
    );
  });

  it('are fewer beside a reference whose release this server has', () => {
    const rowsAt = (minor: number) => new Set(knownDifferencesOf(minor).map(({ row }) => row));
    assert.ok(rowsAt(20).has('release-atomic-structs'));
    assert.deepEqual(
      [...rowsAt(20)].filter((row) => !rowsAt(36).has(row)).every((row) => row.startsWith('release-')),
      true,
    );
    assert.ok(!rowsAt(36).has('release-atomic-structs') && rowsAt(36).has('head'));
  });

  it('have one row each', () => {
    assert.equal(rows.size, documented.length, 'a name that docs/differences.md has twice');
  });

  it('have the rest of their rows proved elsewhere', () => {
    for (const [name, fuzzed] of rows) assert.match(fuzzed, /^(?:yes|no(?: \(`[\w./-]+`\))?)$/, name);
  });
});

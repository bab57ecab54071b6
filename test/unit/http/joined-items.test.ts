import assert from 'node:assert/strict';
import { JoinedSelections } from '../../../src/http/respond/joined-items.ts';
import type { VersionedObject } from '../../../src/registry/registry.ts';

function item(name: string): VersionedObject {
  return { json: Buffer.from(`{"metadata":{"name":"${name}"}}`), itemStart: 1 };
}

describe('joined selections', () => {
  const [a, b, c] = [item('a'), item('b'), item('c')];

  it('are found by the very objects in their order', () => {
    const joined = new JoinedSelections();
    joined.keep({ items: [a, b], bytes: Buffer.alloc(10) });
    assert.equal(joined.find([c, a, b, c], 1)?.items.length, 2);
    for (const others of [[a, c], [b, a], [a], [], [item('a'), b]]) assert.equal(joined.find(others, 0), undefined);
  });

  it('keep no more bytes than they may, and those that were asked for last', () => {
    const joined = new JoinedSelections(100);
    for (const one of [a, b, c]) joined.keep({ items: [one], bytes: Buffer.alloc(25) });
    joined.find([a], 0);
    joined.keep({ items: [item('d')], bytes: Buffer.alloc(25) });
    joined.keep({ items: [item('e')], bytes: Buffer.alloc(20) });
    assert.deepEqual(
      [a, b, c].map((one) => joined.find([one], 0) !== undefined),
      [true, false, true],
    );
    joined.keep({ items: [a, b], bytes: Buffer.alloc(26) });
    assert.equal(joined.find([a, b], 0)?.items.length, 1, 'no selection is worth more than a quarter of them all');
  });

  it('take the place of what began with the same object', () => {
    const joined = new JoinedSelections(100);
    for (let round = 0; round < 10; round++) joined.keep({ items: [a, b], bytes: Buffer.alloc(20) });
    joined.keep({ items: [c], bytes: Buffer.alloc(20) });
    joined.keep({ items: [a], bytes: Buffer.alloc(20) });
    assert.deepEqual(joined.find([a, b], 0)?.items, [a]);
    assert.ok(joined.find([c], 0));
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LinkedList } from '../../../../src/http-protocol/requests/linked-list.ts';

describe('a live list', () => {
  it('holds what was added and not removed, in the order of adding, whatever the order of removing', () => {
    const step = fc.oneof(fc.record({ add: fc.nat() }), fc.record({ remove: fc.nat() }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new LinkedList<number>();
        const entries: ReturnType<typeof list.add>[] = [];
        const model = new Set<ReturnType<typeof list.add>>();
        for (const one of steps) {
          if ('add' in one) {
            const entry = list.add(one.add);
            entries.push(entry);
            model.add(entry);
          } else {
            const entry = entries[one.remove % Math.max(1, entries.length)];
            // Some are removed a second time.
            if (entry) list.remove(entry);
            if (entry) model.delete(entry);
          }
          const [first] = model;
          assert.equal(list.size, model.size);
          assert.equal(list.first, first);
          assert.deepEqual(
            list.values(),
            [...model].map(({ value }) => value),
          );
        }
      }),
    );
  });

  it('lets go of its neighbours when an entry is removed, so that one old entry keeps nothing else alive', () => {
    const list = new LinkedList<string>();
    const [old, younger] = [list.add('old'), list.add('younger')];
    list.remove(old);
    assert.ok(!Object.values(old).includes(younger));
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseQuery } from '../../../../src/http-protocol/requests/query.ts';

describe('a query', () => {
  it('reads as URLSearchParams reads it, whatever it holds', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '=', '&', '%', '+', '?', '#', '2', '0', 'é', ';'),
      maxLength: 24,
    });
    fc.assert(
      fc.property(text, (query) => {
        const [own, known] = [parseQuery(query), new URLSearchParams(`&${query}`)];
        for (const name of ['', 'a', 'b', 'ab', 'é', ...known.keys()]) {
          assert.equal(own.get(name), known.get(name));
          assert.deepEqual(own.getAll(name), known.getAll(name));
        }
      }),
    );
  });
});

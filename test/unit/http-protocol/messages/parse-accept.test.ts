import assert from 'node:assert/strict';
import { parseAccept } from '../../../../src/http-protocol/messages/parse-accept.ts';

describe('an Accept header', () => {
  it('is parsed once for all requests that send it, unless it is long', () => {
    const usual = 'application/json;as=Table;v=v1;g=meta.cl.io,application/json;q=0.5';
    assert.equal(parseAccept(usual), parseAccept(usual));
    assert.deepEqual(
      parseAccept(usual).map(({ quality }) => quality),
      [1, 0.5],
    );
    const long = `application/json;x=${'x'.repeat(1_000)}`;
    assert.notEqual(parseAccept(long), parseAccept(long));
    assert.deepEqual(parseAccept(long), parseAccept(long));
  });
});

import assert from 'node:assert/strict';
import { parsePortRange } from '../../../src/resources/core/services/address-range.ts';

describe('a range of ports', () => {
  const ranges = { '30000-32767': '30000-32767', '30000+10': '30000-30010', ' 8080 ': '8080-8080', '1+0': '1-1' };
  for (const [text, meant] of Object.entries(ranges)) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      const range = parsePortRange(text) ?? assert.fail('no range');
      assert.equal(range.text, meant);
      assert.equal(`${range.at(0)}-${range.at(range.size - 1)}`, meant);
    });
  }

  for (const text of ['', '-', '1-', '+5', '2-1', '0-5', '65535+1', '1-70000', '1-2-3', '1+2-3', '1e3', '0x10']) {
    it(`is not read from ${JSON.stringify(text)}`, () => assert.equal(parsePortRange(text), undefined));
  }
});

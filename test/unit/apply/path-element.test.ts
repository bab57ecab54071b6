import assert from 'node:assert/strict';
import { parseElement } from '../../../src/apply/path-element.ts';

describe('path elements', () => {
  it('have the escapes of Go, however a client wrote them', () => {
    const element = String.raw`k:{"name":"a\u003cb\u0026c"}`;
    assert.equal(parseElement('k:{"name":"a<b&c"}'), element);
    assert.equal(parseElement(element), element);
    assert.equal(parseElement('v:">"'), String.raw`v:"\u003e"`);
  });
});

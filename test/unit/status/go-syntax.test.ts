import assert from 'node:assert/strict';
import { invalid, notSupported } from '../../../src/status/field-error.ts';
import { goQuote } from '../../../src/status/go-quote.ts';
import { goStruct, goStructs } from '../../../src/status/go-syntax.ts';

describe('values in messages', () => {
  const quoted: readonly (readonly [string, string])[] = [
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\x00\x1f\x7f', '"\\x00\\x1f\\x7f"'],
    ['\u0085\u00ad\u2028\ufeff', '"\\u0085\\u00ad\\u2028\\ufeff"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['<é 語 ✓ 🙂>', '"<é 語 ✓ 🙂>"'],
  ];
  for (const [text, expected] of quoted) {
    it(`quotes ${expected} as Go does`, () => assert.equal(goQuote(text), expected));
  }

  it('shows what is missing as a text', () => {
    assert.equal(invalid('spec.x', null, 'field is immutable').message, 'Invalid value: "null": field is immutable');
  });

  it('quotes a refused text and those that are supported as Go does', () => {
    assert.equal(notSupported('x', '\x01', ['\x02']).message, 'Unsupported value: "\\x01": supported values: "\\x02"');
  });

  it('shows a struct with the names of its type', () => {
    const selector = {
      matchLabels: { b: '2', a: '1' },
      matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }],
    };
    assert.equal(
      goStruct(goStructs.labelSelector, selector),
      'v1.LabelSelector{MatchLabels:map[string]string{"a":"1", "b":"2"}, ' +
        'MatchExpressions:[]v1.LabelSelectorRequirement{' +
        'v1.LabelSelectorRequirement{Key:"k", Operator:"In", Values:[]string{"v"}}}}',
    );
    assert.equal(
      goStruct(goStructs.toleration, { key: 'a', operator: 'Exists', value: 'b' }),
      'core.Toleration{Key:"a", Operator:"Exists", Value:"b", Effect:"", TolerationSeconds:(*int64)(nil)}',
    );
  });

  it('shows a struct that points somewhere as JSON', () => {
    const owner = { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u', controller: true };
    assert.equal(goStruct(goStructs.ownerReference, owner), JSON.stringify(owner));
  });
});

import assert from 'node:assert/strict';
import { lineOfField } from '../../../src/dashboard/page/field-line.ts';

const text = `kind: Service
metadata:
  labels:
    a.b/c: "-"
spec:
  ports:
    - name: one
      port: 80
    - name: two
      port: 99999
  "odd name": 1
`;

describe('the line of a field', () => {
  const lines: Readonly<Record<string, number | undefined>> = {
    kind: 1,
    'metadata.labels': 3,
    'metadata.labels[a.b/c]': 4,
    'spec.ports[1].port': 10,
    'spec.ports[1]': 9,
    'spec.ports[0].targetPort': 7,
    'spec.selector.app': 5,
    'spec[odd name]': 11,
    status: undefined,
    '': undefined,
    'spec.ports[7].port': 6,
  };
  for (const [field, line] of Object.entries(lines)) {
    it(`of ${JSON.stringify(field)} is ${line}`, () => assert.equal(lineOfField(text, field), line));
  }

  it('is found as far as a broken text can be read, and never throws', () => {
    assert.equal(lineOfField('a: 1\nb: [1,\n', 'a'), 1);
    assert.equal(lineOfField('- 1\n- 2\n', '[1]'), 2);
    assert.equal(lineOfField('a: &x 1\nb: *x\n', 'b.c'), 2);
    assert.equal(lineOfField('', 'a'), undefined);
  });
});

import assert from 'node:assert/strict';
import { messageRows } from '../../../src/gen/schema.ts';
import { descriptionsOf } from '../../../src/scheme/descriptions-of.ts';

describe('descriptionsOf', () => {
  it('has the descriptions of a message, its fields and the fields of inlined messages', () => {
    assert.match(descriptionsOf('api.networking.v1.IngressRule').fields.get('host') ?? '', /domain name/i);
    assert.match(descriptionsOf('api.core.v1.Volume').fields.get('emptyDir') ?? '', /\.$/);
    assert.match(descriptionsOf('api.core.v1.Pod').message, /\.$/);
  });

  it('has none of other schemas, and none in the rows that a server loads at its start', () => {
    assert.deepEqual([...descriptionsOf('constructor').fields], []);
    assert.ok(!Object.values(messageRows).some((row) => row.includes('"description":"')));
  });
});

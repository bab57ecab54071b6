import assert from 'node:assert/strict';
import { parseJson } from '../../../src/codec/parse-json.ts';
import { isJsonObject } from '../../../src/meta/json-value.ts';
import { pathOrder } from '../../../src/registry/versions/order-paths.ts';

it('paths are in the order of their fields, a duplicate where its last value is', () => {
  const { value, duplicateFields } = parseJson(
    '{"spec":{"a":1,"b.c":{"d":1},"list":[{"x":1},{"y":1}],"a":2},"metadata":{"labels":{"e/f.g":"h"}},"last":1}',
  );
  assert.ok(isJsonObject(value));
  const paths = ['last', ...duplicateFields, 'metadata.labels.e/f.g', 'spec.list[1].y', 'spec.list[0].x', 'spec.b.c.d'];
  const sorted = ['spec.b.c.d', 'spec.list[0].x', 'spec.list[1].y', 'spec.a', 'metadata.labels.e/f.g', 'last'];
  assert.deepEqual(paths.toSorted(pathOrder(value)), sorted);
});

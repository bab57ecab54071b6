import assert from 'node:assert/strict';
import { queryParameters } from '../../../../src/api/openapi/query-parameters.ts';

describe('the query parameters of a list', () => {
  const later = ['sendInitialEvents', 'shardSelector'];
  const cases = [
    ['1.26', []],
    ['1.27', ['sendInitialEvents']],
    ['1.36', later],
    [undefined, later],
  ] as const;
  for (const [release, expected] of cases) {
    it(`of ${release ?? 'the newest release'} have what it added`, () => {
      const names = queryParameters('list', release).map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => later.includes(name)),
        expected,
      );
    });
  }
});

import assert from 'node:assert/strict';
import { alwaysAllowPathError, pathReader } from '../../../src/authz/always-allow-paths.ts';

describe('paths that everyone may read', () => {
  const readsOne = pathReader(['/version', '/open/*']);
  const cases: readonly [verb: string, path: string, resourceRequest: boolean, allowed: boolean][] = [
    ['get', '/version', false, true],
    ['head', '/version', false, true],
    ['post', '/version', false, false],
    ['get', '/version/x', false, false],
    ['get', '/versions', false, false],
    ['get', '/Version', false, false],
    ['get', '', false, false],
    ['get', '/open/a/b', false, true],
    ['get', '/open', false, false],
    ['get', '/version', true, false],
  ];
  for (const [verb, path, resourceRequest, allowed] of cases) {
    const what = `${verb} ${path || 'of no path'}${resourceRequest ? ' of a resource' : ''}`;
    it(`${allowed ? 'have' : 'do not have'} ${what}`, () => {
      assert.equal(readsOne({ verb, path, resourceRequest }), allowed);
    });
  }

  it('are written with a leading slash and a star at most at the end', () => {
    for (const path of ['/a', '/a/*', '/*', '/']) assert.equal(alwaysAllowPathError(path), '');
    for (const path of ['a', '*', '/a*', '/*/a', '/a/**']) assert.notEqual(alwaysAllowPathError(path), '');
  });
});

import assert from 'node:assert/strict';
import { statusOfStorageError } from '../../../../src/registry/read/storage-error-status.ts';
import { StatusError } from '../../../../src/status/status-error.ts';
import { StorageError, type StorageErrorCode } from '../../../../src/storage/port/storage-error.ts';
import { child, parsed, refusal, startFixture, write } from '../fixture.ts';

const subject = { group: 'apps', resource: 'deployments' };

describe('storage errors at the border', () => {
  const cases: readonly (readonly [code: StorageErrorCode, status: number, reason: string, message: RegExp])[] = [
    ['NotFound', 404, 'NotFound', /^deployments.apps "a" not found$/],
    ['AlreadyExists', 409, 'AlreadyExists', /^deployments.apps "a" already exists$/],
    ['Conflict', 409, 'Conflict', /the object has been modified; please apply your changes/],
    ['Compacted', 410, 'Expired', /too old/],
    ['FutureRevision', 504, 'Timeout', /^Timeout: text$/],
    ['InvalidArgument', 400, 'BadRequest', /^text$/],
    ['TooLarge', 413, 'RequestEntityTooLarge', /too large/],
    ['NoSpace', 500, 'InternalError', /database space exceeded/],
    ['Unavailable', 500, 'ServerTimeout', /not available/],
    ['UnknownOutcome', 504, 'Timeout', /may or may not/],
    ['Corrupt', 500, 'ServerTimeout', /was replaced or restored from a backup/],
    ['Cancelled', 504, 'Timeout', /ended before/],
  ];
  for (const [code, status, reason, message] of cases) {
    it(`are answered: ${code} with ${status}`, () => {
      const error = statusOfStorageError(new StorageError(code, 'text', { revision: 7 }), { subject, name: 'a' });
      assert.ok(error instanceof StatusError);
      assert.deepEqual([error.code, error.reason], [status, reason]);
      assert.match(error.message, message);
    });
  }

  it('say why a value cannot be read, and at which key it is', () => {
    const key = '/registry/secrets/a/b';
    const corrupt = new StorageError('Corrupt', 'text', { key });
    const error = statusOfStorageError(corrupt, { subject, name: 'a' });
    assert.ok(error instanceof StatusError);
    const message = 'Internal error occurred: StorageError: corrupt object: text';
    assert.deepEqual([error.reason, error.message], ['InternalError', message]);
    assert.deepEqual(error.details?.causes, [{ reason: 'UnexpectedServerResponse', message: 'text', field: key }]);
  });

  it('leave other errors alone', () => {
    const error = new TypeError('x');
    assert.equal(statusOfStorageError(error, { subject, name: '' }), error);
  });

  it('say which version was too large', () => {
    const future = new StorageError('FutureRevision', '', { revision: 7 });
    const error = statusOfStorageError(future, { subject, name: '', revision: 9 });
    assert.equal(error instanceof StatusError && error.message, 'Timeout: Too large resource version: 9, current: 7');
  });

  it('tell a watch which revision was too old', () => {
    const compacted = new StorageError('Compacted', '', { revision: 9 });
    const error = statusOfStorageError(compacted, { subject, name: '', watch: true, revision: 2 });
    assert.equal(error instanceof StatusError && error.message, 'too old resource version: 2 (9)');
  });

  it('give an expired list a token with which it goes on at the newest version', async () => {
    const first = startFixture();
    const maps = first.registry('configmaps');
    for (const name of ['a', 'b', 'c']) await maps.create(first.scope(), { metadata: { name } }, write);
    const { continueToken } = await maps.list(first.scope(), { at: { kind: 'latest' }, limit: 1 });
    await maps.create(first.scope(), { metadata: { name: 'd' } }, write);
    await first.store.compact(await first.revision());
    // A server that started after the compaction knows no history.
    const second = startFixture({ store: () => first.store });
    const again = second.registry('configmaps');
    const query = { at: { kind: 'latest' }, limit: 0 } as const;
    const error = await refusal(again.list(second.scope(), { ...query, continueToken }));
    assert.equal(error.code, 410);
    assert.equal(error.reason, 'Expired');
    assert.match(error.message, /^The provided continue parameter is too old/);
    assert.ok(error.metadata.continue);
    const rest = await again.list(second.scope(), { ...query, continueToken: error.metadata.continue });
    assert.deepEqual(
      rest.items.map((item) => child(parsed(item), 'metadata')['name']),
      ['b', 'c', 'd'],
    );
    await second.close();
    await first.close();
  });
});

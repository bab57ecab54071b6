import assert from 'node:assert/strict';
import { classifyError, neverSent } from '../../../src/etcd/classify-error.ts';

// What etcd 3.4 and grpc-js say, as etcd3 hands it on.
const table: readonly (readonly [text: string, read: string, write: string])[] = [
  ['11 OUT_OF_RANGE: etcdserver: mvcc: required revision has been compacted', 'compacted', 'compacted'],
  ['11 OUT_OF_RANGE: etcdserver: mvcc: required revision is a future revision', 'futureRevision', 'futureRevision'],
  ['3 INVALID_ARGUMENT: etcdserver: request is too large', 'tooLarge', 'tooLarge'],
  ['8 RESOURCE_EXHAUSTED: etcdserver: mvcc: database space exceeded', 'noSpace', 'noSpace'],
  ['8 RESOURCE_EXHAUSTED: grpc: received message larger than max (9 vs. 2)', 'tooLarge', 'tooLarge'],
  ['8 RESOURCE_EXHAUSTED: etcdserver: too many requests', 'unavailable', 'unavailable'],
  ['Lease 5 NOT_FOUND: etcdserver: requested lease not found is expired or revoked', 'unknownLease', 'unknownLease'],
  ['3 INVALID_ARGUMENT: etcdserver: key is not provided', 'invalid', 'invalid'],
  ['7 PERMISSION_DENIED: etcdserver: permission denied', 'denied', 'denied'],
  ['16 UNAUTHENTICATED: etcdserver: invalid auth token', 'denied', 'denied'],
  ['14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED', 'unavailable', 'unavailable'],
  ['14 UNAVAILABLE: Connection dropped', 'unavailable', 'unknownOutcome'],
  ['14 UNAVAILABLE: etcdserver: leader changed', 'unavailable', 'unknownOutcome'],
  ['4 DEADLINE_EXCEEDED: Deadline exceeded after 10.001s', 'unavailable', 'unknownOutcome'],
  ['1 CANCELLED: Call cancelled', 'unavailable', 'unknownOutcome'],
  ['something else', 'unavailable', 'unknownOutcome'],
];

describe('An error from etcd', () => {
  for (const [text, read, write] of table) {
    it(`is ${read} for a read and ${write} for a write: ${text}`, () => {
      assert.equal(classifyError(new Error(text), 'read').code, read);
      assert.equal(classifyError(new Error(text), 'write').code, write);
    });
  }

  it('lets a write be sent elsewhere only if it never left', () => {
    assert.ok(neverSent(writeError('14 UNAVAILABLE: No connection established')));
    assert.ok(!neverSent(writeError('14 UNAVAILABLE: Connection dropped')));
    assert.ok(!neverSent(writeError('8 RESOURCE_EXHAUSTED: etcdserver: too many requests')));
  });
});

function writeError(text: string) {
  return classifyError(new Error(text), 'write');
}

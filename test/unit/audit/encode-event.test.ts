import assert from 'node:assert/strict';
import type { AuditEvent } from '../../../src/audit/audit-event.ts';
import { encodeEvent } from '../../../src/audit/encode-event.ts';

const user = { username: 'a"b', uid: '7', groups: ['g'], extra: { 'x/y': ['z'] } };
const objectRef = {
  resource: 'pods',
  namespace: 'n',
  name: 'p',
  uid: 'u',
  apiGroup: 'g',
  apiVersion: 'v1',
  resourceVersion: '8',
  subresource: 'status',
};
const event: AuditEvent = {
  level: 'Metadata',
  auditId: 'id',
  stage: 'RequestReceived',
  requestUri: '/a?b="c"',
  verb: 'get',
  user,
  impersonatedUser: undefined,
  impersonationConstraint: '',
  sourceIps: ['127.0.0.1'],
  userAgent: 'agent/1 "x"',
  objectRef,
  responseStatus: undefined,
  requestObject: undefined,
  responseObject: undefined,
  receivedMicros: 1_700_000_000_123_456,
  stageMicros: 1_700_000_000_123_456,
  annotations: [],
};
const encoded = (changes: Partial<AuditEvent> = {}): unknown =>
  JSON.parse(`{${encodeEvent({ ...event, ...changes })}}`);

describe('an audit event as JSON', () => {
  const whole = {
    level: 'Metadata',
    auditID: 'id',
    stage: 'RequestReceived',
    requestURI: '/a?b="c"',
    verb: 'get',
    user,
    sourceIPs: ['127.0.0.1'],
    userAgent: 'agent/1 "x"',
    objectRef,
    requestReceivedTimestamp: '2023-11-14T22:13:20.123456Z',
    stageTimestamp: '2023-11-14T22:13:20.123456Z',
  };

  it('has its fields, without those that are empty', () => {
    assert.deepEqual(encoded(), whole);
    const { userAgent: _, ...rest } = whole;
    const empty = {
      ...objectRef,
      namespace: '',
      name: '',
      uid: '',
      apiGroup: '',
      resourceVersion: '',
      subresource: '',
    };
    assert.deepEqual(encoded({ userAgent: '', objectRef: empty }), {
      ...rest,
      objectRef: { resource: 'pods', apiVersion: 'v1' },
    });
    assert.deepEqual(encoded({ user: undefined }), { ...whole, user: {} });
  });

  it('tells the requests of one user apart', () => {
    const other = { ...user, groups: ['h'] };
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(encoded(), whole);
      assert.deepEqual(encoded({ verb: 'list' }), { ...whole, verb: 'list' });
      assert.deepEqual(encoded({ userAgent: 'other' }), { ...whole, userAgent: 'other' });
      assert.deepEqual(encoded({ sourceIps: ['::1', '127.0.0.1'] }), { ...whole, sourceIPs: ['::1', '127.0.0.1'] });
      assert.deepEqual(encoded({ impersonatedUser: other }), { ...whole, impersonatedUser: other });
      const impersonationConstraint = 'impersonate:user-info';
      assert.deepEqual(encoded({ impersonatedUser: other, impersonationConstraint }), {
        ...whole,
        impersonatedUser: other,
        authenticationMetadata: { impersonationConstraint },
      });
      assert.deepEqual(encoded({ user: other }), { ...whole, user: other });
      const stageMicros = event.stageMicros + 1;
      assert.deepEqual(encoded({ stageMicros }), { ...whole, stageTimestamp: '2023-11-14T22:13:20.123457Z' });
    }
  });

  it('has annotations of any length and text', () => {
    const annotations = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`name-${index}`, `"${'ä'.repeat(index % 400)}\n`]),
    );
    assert.deepEqual(encoded({ annotations: Object.entries(annotations).flat() }), { ...whole, annotations });
  });
});

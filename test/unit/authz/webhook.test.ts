import assert from 'node:assert/strict';
import { webhookAuthorizer } from '../../../src/authz/webhook/webhook-authorizer.ts';
import type { AuthorizationAttributes, Authorizer } from '../../../src/authz/authorizer.ts';

const attributesOf = (name: string): AuthorizationAttributes => ({
  user: { username: 'ann', uid: '', groups: [], extra: {} },
  verb: 'get',
  resourceRequest: true,
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'n',
  name,
  path: '',
});

/** A webhook that allows everything, and the number of its calls. */
function countedWebhook({ reason = '', authorizedTtlMs = 60_000 } = {}): {
  readonly authorizer: Authorizer;
  readonly calls: () => number;
} {
  let calls = 0;
  const authorizer = webhookAuthorizer({
    name: 'w',
    call: async ({ apiVersion = '', kind = '' }) => {
      calls++;
      return { apiVersion, kind, status: { allowed: true, reason } };
    },
    group: 'g',
    version: 'v1',
    authorizedTtlMs,
    unauthorizedTtlMs: 60_000,
    timeoutMs: 1000,
    onFailure: 'no-opinion',
    matchConditions: [],
    onError: (error) => assert.fail(String(error)),
    metrics: { called: () => {}, failedOpen: () => {} },
    signal: new AbortController().signal,
  });
  return { authorizer, calls: () => calls };
}

describe('the answers of a webhook', () => {
  it('are given without a promise while they are remembered', async () => {
    const { authorizer } = countedWebhook();
    await authorizer.authorize(attributesOf('p'));
    assert.deepEqual(authorizer.authorize(attributesOf('p')), { decision: 'allow', reason: '' });
  });

  it('are asked for once by equal requests at the same time, even if they are not remembered', async () => {
    const { authorizer, calls } = countedWebhook({ authorizedTtlMs: 0 });
    const ask = async () => await authorizer.authorize(attributesOf('p'));
    const responses = await Promise.all(Array.from({ length: 20 }, ask));
    assert.ok(responses.every(({ decision }) => decision === 'allow'));
    assert.equal(calls(), 1);
    await ask();
    assert.equal(calls(), 2);
  });

  it('are remembered for 8,192 different requests', async () => {
    const { authorizer, calls } = countedWebhook();
    for (let index = 0; index <= 8192; index++) await authorizer.authorize(attributesOf(`p${index}`));
    assert.equal(calls(), 8193);
    await authorizer.authorize(attributesOf('p8192'));
    assert.equal(calls(), 8193);
    await authorizer.authorize(attributesOf('p0'));
    assert.equal(calls(), 8194);
  });

  it('are remembered in bounded memory, however long their reasons are', async () => {
    const { authorizer, calls } = countedWebhook({ reason: 'x'.repeat(1_000_000) });
    for (let index = 0; index < 20; index++) await authorizer.authorize(attributesOf(`p${index}`));
    await authorizer.authorize(attributesOf('p0'));
    assert.equal(calls(), 21);
  });

  it('are not remembered for requests with long selectors, which clients choose', async () => {
    const { authorizer, calls } = countedWebhook();
    const selecting = (value: string) => ({
      ...attributesOf('p'),
      labelSelector: [{ key: 'a', operator: 'in' as const, values: [value] }],
    });
    for (let count = 0; count < 2; count++) await authorizer.authorize(selecting('short'));
    assert.equal(calls(), 1);
    for (let count = 0; count < 2; count++) await authorizer.authorize(selecting('x'.repeat(10_000)));
    assert.equal(calls(), 3);
  });
});

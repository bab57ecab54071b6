import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { createTokenCacheMetrics } from '../../../src/authn/token-cache-metrics.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { type TokenVerdict, VerifiedTokens } from '../../../src/authn/verified-tokens.ts';

/** A cache over a verifier that accepts tokens beginning with `good`, and the tokens it has verified. */
function world() {
  const verified: string[] = [];
  const lookUps: string[] = [];
  const tokens = new VerifiedTokens<string>({
    verify: async (token) => {
      verified.push(token);
      if (token === 'broken') throw new Error('broken');
      return token.startsWith('good') ? { grant: token } : { problem: 'wrong' };
    },
    metrics: {
      hit: () => lookUps.push('hit'),
      blocked: () => {
        lookUps.push('miss');
        return () => {};
      },
      fetching: () => (ok) => lookUps.push(ok ? 'ok' : 'error'),
    },
  });
  return { tokens, verified, lookUps };
}

describe('verified tokens', () => {
  it('are verified once, also by requests that arrive together', async () => {
    const { tokens, verified, lookUps } = world();
    const first = tokens.get('good');
    assert.ok(first instanceof Promise);
    assert.equal(tokens.get('good'), first);
    await first;
    assert.deepEqual(tokens.get('good'), { grant: 'good' }, 'without waiting');
    assert.deepEqual(verified, ['good']);
    assert.deepEqual(lookUps, ['miss', 'miss', 'ok', 'hit']);
  });

  it('are verified again after an error, and after the keys have changed', async () => {
    const { tokens, verified } = world();
    await assert.rejects(async () => await tokens.get('broken'));
    await assert.rejects(async () => await tokens.get('broken'));
    await tokens.get('good');
    tokens.clear();
    await tokens.get('good');
    assert.deepEqual(verified, ['broken', 'broken', 'good', 'good']);
  });

  it('are not remembered from a verification that began with earlier keys', async () => {
    const first = newDeferred<TokenVerdict<string>>();
    let count = 0;
    const tokens = new VerifiedTokens<string>({
      verify: async () => (++count === 1 ? await first.promise : { problem: 'not with these keys' }),
      metrics: createTokenCacheMetrics(new MetricsRegistry()),
    });
    const earlier = tokens.get('token');
    tokens.clear();
    first.resolve({ grant: 'token' });
    assert.deepEqual(await earlier, { grant: 'token' });
    assert.deepEqual(await tokens.get('token'), { problem: 'not with these keys' });
  });

  it('stay when many wrong tokens come', async () => {
    const { tokens, verified } = world();
    await tokens.get('good');
    for (let index = 0; index < 6000; index++) await tokens.get(`wrong ${index}`);
    assert.deepEqual(tokens.get('good'), { grant: 'good' });
    assert.deepEqual(await tokens.get('wrong 5999'), { problem: 'wrong' });
    assert.equal(verified.length, 6001);
    await tokens.get('wrong 0');
    assert.equal(verified.length, 6002, 'wrong tokens are forgotten first');
  });
});

import assert from 'node:assert/strict';
import { defaultServerOptions, type ServerOptions } from '../../../../src/config/server-options.ts';
import { shareLimits } from '../../../../src/process/workers/share-limits.ts';

const limits = {
  maxRequestsInFlight: 401,
  maxMutatingRequestsInFlight: 200,
  maxWatchesInFlight: 20_000,
  maxAnswerBytes: 128 * 2 ** 20,
  maxBodyBytes: 128 * 2 ** 20,
};
const optionsWith = (given: Partial<ServerOptions>): ServerOptions => ({ ...defaultServerOptions, ...given });

describe('the limits of one of several processes', () => {
  it('are its parts of those of the whole, rounded up', () => {
    const options = optionsWith(limits);
    assert.deepEqual(shareLimits(options, 4), {
      ...options,
      maxRequestsInFlight: 101,
      maxMutatingRequestsInFlight: 50,
      maxWatchesInFlight: 5_000,
      maxAnswerBytes: 32 * 2 ** 20,
      maxBodyBytes: 32 * 2 ** 20,
    });
  });

  it('are none where the whole has none', () => {
    const none = Object.fromEntries(Object.keys(limits).map((name) => [name, 0]));
    const options = optionsWith(none);
    assert.deepEqual(shareLimits(options, 4), options);
  });

  it('leave room for one large body', () => {
    const { maxBodyBytes } = shareLimits(optionsWith({ maxBodyBytes: 8 * 2 ** 20 }), 8);
    assert.ok(maxBodyBytes > 3 * 2 ** 20, String(maxBodyBytes));
  });

  it('count connections for the whole, where they are accepted', () => {
    const options = optionsWith({ maxConnections: 10, maxConnectionsPerAddress: 5 });
    const { maxConnections, maxConnectionsPerAddress } = shareLimits(options, 4);
    assert.deepEqual([maxConnections, maxConnectionsPerAddress], [10, 5]);
  });
});

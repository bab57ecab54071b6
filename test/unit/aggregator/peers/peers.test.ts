import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createPeerMetrics } from '../../../../src/aggregator/peers/peer-metrics.ts';
import { resourceKey } from '../../../../src/aggregator/peers/peer-resources.ts';
import { Peers } from '../../../../src/aggregator/peers/peers.ts';
import { until } from '../../../http/until.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

describe('the peers of a server', () => {
  it('are retried until they answer, even after many failures, and dropped once they are gone', async () => {
    const stopping = new AbortController();
    const asked = new Map<string, number>();
    let isUp = false;
    const peers = new Peers({
      ownId: 'own',
      addressOf: async (id) => {
        asked.set(id, (asked.get(id) ?? 0) + 1);
        return { host: '127.0.0.1', port: 1 };
      },
      ask: async () => {
        if (!isUp) throw new Error('down');
        return { served: new Set([resourceKey('', 'v1', 'pods')]), groups: [] };
      },
      excluded: () => new Set(),
      metrics: createPeerMetrics(),
      log: pino({ level: 'silent' }),
      signal: stopping.signal,
      retryMs: () => 0,
    });
    peers.changed('other', 'a');
    peers.changed('gone', 'b');
    await until('more attempts than are made at first', () => (asked.get('other') ?? 0) > 30);
    peers.changed('gone', undefined);
    const attempts = asked.get('gone');
    isUp = true;
    await until('the peer', () => peers.serving(pods).length > 0);
    assert.deepEqual(peers.serving(pods), ['other']);
    assert.equal(asked.get('gone'), attempts);
    stopping.abort();
  });
});

import assert from 'node:assert/strict';
import type { Client } from '../../../src/client/client.ts';
import { DiscoveryWatch } from '../../../src/controllers/discovery-watch.ts';
import { until } from '../../http/until.ts';

describe('the watch of what a server serves', () => {
  it('sends one request for all waiting controllers, and wakes them at a change', async () => {
    const stop = new AbortController();
    let [requests, served] = [0, 'a'];
    const revalidate = async ({ etag }: { etag?: string }) => {
      requests++;
      return etag === served ? { etag } : { etag: served, body: Buffer.from('{}') };
    };
    const client = { transport: { revalidate } } as unknown as Client;
    const discovery = new DiscoveryWatch(client, stop.signal, 5);
    await discovery.begin();
    await discovery.begin();
    assert.equal(requests, 1);
    const woken: string[] = [];
    const waits = ['one', 'two'].map(async (name) => {
      await discovery.nextChange(stop.signal);
      woken.push(`${name} after ${served}`);
    });
    await until('some looks', async () => requests >= 4);
    assert.deepEqual(woken, []);
    served = 'b';
    await Promise.all(waits);
    assert.deepEqual(woken, ['one after b', 'two after b']);
    const asked = requests;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.ok(requests <= asked + 1, 'nobody waits any more');
    stop.abort();
  });
});

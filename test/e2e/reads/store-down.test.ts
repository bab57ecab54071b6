import assert from 'node:assert/strict';
import { startServer } from '../start-server.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd } from '../local-store.ts';
import { until } from '../../http/until.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf, statusOf } from '../../http/reads/world.ts';

describe('reads while etcd is down', () => {
  it('are answered from memory where that is what was asked for, else refused as worth another try', async () => {
    await using etcd = await startTestEtcd();
    await using server = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
    });
    // From here on the cache has seen all that happened.
    await request(server, 'GET', configMaps);
    const past = await createConfigMap(server, 'a');
    const present = await createConfigMap(server, 'b');
    const first = listOf(await request(server, 'GET', `${configMaps}?limit=1`));
    const watch = await openWatch(server, `${configMaps}?watch=1`);
    await until('the state', () => watch.events.length === 2);
    await etcd.kill();

    const answered: readonly [query: string, names: readonly string[]][] = [
      ['resourceVersion=0', ['a', 'b']],
      [`resourceVersion=${present}`, ['a', 'b']],
      [`resourceVersion=${past}&resourceVersionMatch=Exact`, ['a']],
      [`continue=${encodeURIComponent(first.metadata.continue ?? '')}`, ['b']],
    ];
    for (const [query, names] of answered) {
      const { items } = listOf(await request(server, 'GET', `${configMaps}?${query}`));
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        names,
        query,
      );
    }
    assert.equal((await request(server, 'GET', `${configMaps}/a?resourceVersion=0`)).status, 200);
    const resumed = await openWatch(server, `${configMaps}?watch=1&resourceVersion=${past}`);
    await until('the change in memory', () => resumed.events.length === 1);

    const latest = await request(server, 'GET', `${configMaps}?timeout=2s`);
    assert.ok([500, 504].includes(latest.status), latest.text);
    assert.ok(['ServerTimeout', 'Timeout'].includes(statusOf(latest).reason ?? ''), latest.text);
    const future = await request(server, 'GET', `${configMaps}?resourceVersion=${present + 1}`);
    assert.equal(statusOf(future).details?.causes?.[0]?.reason, 'ResourceVersionTooLarge');
    assert.equal((await request(server, 'GET', '/readyz')).status, 500);
    assert.equal((await request(server, 'GET', '/livez')).status, 500);
    assert.equal((await request(server, 'GET', '/livez?exclude=etcd')).status, 200);

    await etcd.start();
    await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
    await createConfigMap(server, 'c');
    await until('the event on both watches', () => watch.events.length === 3 && resumed.events.length === 2);
    for (const each of [watch, resumed]) {
      assert.equal(each.events.at(-1)?.object.metadata.name, 'c');
      each.stop();
    }
  });
});

import assert from 'node:assert/strict';
import { startServer } from '../start-server.ts';
import { openTcpWay } from '../../robustness/tcp-way.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd } from '../local-store.ts';
import { until } from '../../http/until.ts';
import { openWatch } from '../../http/reads/open-watch.ts';
import { configMaps, createConfigMap, listOf } from '../../http/reads/world.ts';

describe('connections to etcd that a firewall has forgotten', () => {
  it('are found out by pings: reads are right meanwhile, and watches go on without a gap', async () => {
    await using etcd = await startTestEtcd();
    const way = await openTcpWay(etcd.endpoint);
    await using server = await startServer({
      store: { kind: 'etcd', servers: [way.endpoint] },
      compactionIntervalMs: 0,
    });
    const watch = await openWatch(server, `${configMaps}?watch=1`);
    await createConfigMap(server, 'before');
    await until('the first event', () => watch.events.length === 1);

    way.forget();
    assert.equal((await request(server, 'GET', configMaps)).status, 200);
    await createConfigMap(server, 'after');
    const { items } = listOf(await request(server, 'GET', configMaps));
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['after', 'before'],
    );
    await until('the second event', () => watch.events.length === 2);
    way.close();
  });
});

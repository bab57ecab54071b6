import assert from 'node:assert/strict';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { startServer } from './start-server.ts';
import { type HttpResponse, readEvents, request } from '../http/http-client.ts';
import { startTestEtcd } from './local-store.ts';
import { define, definitions, widgetsAt, widgetsIn } from '../http/custom-resources/widgets.ts';
import { until } from '../http/until.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('servers on one etcd', () => {
  it('show a write through one to a watch on the other', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using one = await startServer({ store });
    await using two = await startServer({ store });
    const watch = readEvents(two, `${configMaps}?watch=1`);
    const created = await request(one, 'POST', configMaps, configMap('shared', { k: '1' }));
    assert.equal(created.status, 201);
    await until('ADDED on the other server', () => watch.events.length > 0);
    assert.deepEqual(watch.events[0], { type: 'ADDED', object: created.body });
    assert.deepEqual((await request(two, 'GET', `${configMaps}/shared`)).body, created.body);
    watch.stop();
  });

  it('serve the custom resources of each other, and after a start those of the store', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using one = await startServer({ store });
    await using two = await startServer({ store });
    const group = 'shared.example.com';
    await define(one, widgetsIn(group));
    const widget = { kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
    await until('the resource on the other server', async () => {
      return (await request(two, 'GET', widgetsAt(group))).status === 200;
    });
    const created = await request(two, 'POST', widgetsAt(group), widget);
    assert.equal(created.status, 201, created.text);
    await using three = await startServer({ store });
    const read = await request(three, 'GET', `${widgetsAt(group)}/a`);
    assert.equal(read.text, created.text);

    assert.equal((await request(one, 'DELETE', `${definitions}/widgets.${group}`)).status, 200);
    for (const server of [one, two, three]) {
      await until('the resource to go', async () => (await request(server, 'GET', widgetsAt(group))).status === 404);
    }
  });

  it('begin watches and answer while programs beside them write under another prefix', async () => {
    await using etcd = await startTestEtcd();
    // Longer than the test: nothing but the key that the server itself writes ends the wait.
    const never = 60_000;
    await using server = await startServer({
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: 0,
      cache: { freshnessTimeoutMs: never, showTimeoutMs: never, watchStartTimeoutMs: never },
    });
    const beside = await openEtcdStore({ endpoints: [etcd.endpoint] });
    assert.equal((await request(server, 'GET', configMaps)).status, 200);

    const { revision } = await beside.create('/beside/x', Buffer.from('x'));
    const watch = readEvents(server, `${configMaps}?watch=1`);
    const lists: HttpResponse[] = [];
    void request(server, 'GET', configMaps).then((response) => lists.push(response));
    await until('the list and the watch', () => lists.length > 0 && watch.status !== undefined);
    const [list = assert.fail('no list')] = lists;
    assert.deepEqual([list.status, watch.status], [200, 200]);
    const { metadata } = list.body as { metadata: { resourceVersion: string } };
    assert.ok(Number(metadata.resourceVersion) >= revision);
    watch.stop();
    await beside.close();
  });

  it('refuse a store that was written under the other identifiers, and say so', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using first = await startServer({ store, identifiers: 'cluster' });
    assert.equal(first.identifiers, 'cluster');
    await assert.rejects(startServer({ store, identifiers: 'kubernetes' }), /written.*cluster.*kubernetes/s);
  });

  it('lose no acknowledged write and resume watches when etcd is killed with -9 under load', async () => {
    await using etcd = await startTestEtcd();
    await using server = await startServer({ store: { kind: 'etcd', servers: [etcd.endpoint] } });
    const watch = readEvents(server, `${configMaps}?watch=1`);
    const acknowledged = new Set<string>();
    const stop = new AbortController();
    const writer = async (id: number): Promise<void> => {
      for (let turn = 0; !stop.signal.aborted; turn++) {
        const name = `w${id}-${turn}`;
        const response = await request(server, 'POST', configMaps, configMap(name, {})).catch(() => undefined);
        if (response?.status === 201) acknowledged.add(name);
      }
    };
    const writers = [0, 1, 2, 3].map(writer);
    for (let round = 0; round < 2; round++) {
      const before = acknowledged.size;
      await until('writes', () => acknowledged.size > before + 50);
      await etcd.kill();
      await etcd.start();
    }
    const before = acknowledged.size;
    await until('writes after the last restart', () => acknowledged.size > before + 50);
    stop.abort();
    await Promise.all(writers);

    const list = await request(server, 'GET', configMaps);
    assert.equal(list.status, 200);
    const stored = new Set(
      (list.body as { items: { metadata: { name: string } }[] }).items.map((item) => item.metadata.name),
    );
    assert.deepEqual(
      [...acknowledged].filter((name) => !stored.has(name)),
      [],
    );
    const watched = (): Set<string> => new Set(watch.events.map((event) => event.object.metadata.name));
    await until('the watch to have shown every stored object', () => [...stored].every((name) => watched().has(name)));
    assert.equal(watch.ended, false, 'the watch went on through both restarts');
    const names = watch.events.map((event) => event.object.metadata.name);
    assert.equal(names.length, new Set(names).size, 'no event twice');
    watch.stop();
  });
});

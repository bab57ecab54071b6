import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { openWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const namespace = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const services = `${namespace}/services`;

/** Versions by key of a store, at one moment. */
async function versionsOf(store: MemoryStore, part: RegExp): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>();
  for await (const page of store.list('/')) {
    for (const { key, revision } of page.values) if (part.test(key)) versions.set(key, revision);
  }
  return versions;
}

/** The kinds that servers keep by themselves. */
const kept =
  /\/(?:clusterroles|clusterrolebindings|roles|rolebindings|flowschemas|prioritylevelconfigurations|servicecidrs|apiservices)\./;

for (const [earlier, later] of [
  ['1.31', '1.33'],
  ['1.35', '1.36'],
] as const) {
  describe(`servers of ${earlier} and ${later} on one store`, () => {
    const store = new MemoryStore();
    let served: Awaited<ReturnType<typeof serveObjectStore>>;
    let older: TestServer;
    let newer: TestServer;
    before(async () => {
      served = await serveObjectStore(store, '127.0.0.1:0');
      const options = { store: { kind: 'remote', endpoint: served.endpoint } } as const;
      older = await startServer({ ...options, emulatedRelease: earlier });
      newer = await startServer({ ...options, emulatedRelease: later });
    });
    after(async () => {
      await older.stop();
      await newer.stop();
      await served.close();
    });

    it('lose no write of the other, and both see all of them', async () => {
      const watches = await Promise.all([older, newer].map((one) => openWatch(one, `${budgets}?watch=1`)));
      const count = 20;
      const object = (index: number): JsonObject => ({
        metadata: { name: `b-${index}` },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: String(index) } } },
      });
      for (let index = 0; index < count; index++) {
        const [first, second] = index % 2 === 0 ? [older, newer] : [newer, older];
        const created = await request(first, 'POST', budgets, object(index));
        assert.equal(created.status, 201, created.text);
        const change = (one: TestServer): JsonObject => ({ metadata: { annotations: { [`port-${one.port}`]: 'x' } } });
        const both = await Promise.all(
          [first, second].map((one) => request(one, 'PATCH', `${budgets}/b-${index}`, change(one), mergePatch)),
        );
        assert.deepEqual(
          both.map(({ status }) => status),
          [200, 200],
        );
      }
      for (const watch of watches) {
        await until(
          'each object in both watches',
          () => new Set(watch.events.map(({ object: { metadata } }) => metadata.name)).size >= count,
        );
        watch.stop();
      }
      for (const one of [older, newer]) {
        const { items } = (await request(one, 'GET', budgets)).body as {
          readonly items: readonly { readonly metadata: { readonly annotations: object } }[];
        };
        assert.equal(items.length, count);
        assert.ok(
          items.every(({ metadata }) => Object.keys(metadata.annotations).length === 2),
          'a change of each server',
        );
      }
    });

    it('give a Service an address of its own, whichever creates it', async () => {
      const addresses = new Set<string>();
      for (let round = 0; round < 5; round++) {
        const created = await Promise.all(
          [older, newer, older, newer].map((one, index) =>
            request(one, 'POST', services, {
              metadata: { name: `s-${round}-${index}` },
              spec: { ports: [{ port: 80 }] },
            }),
          ),
        );
        for (const { status, body, text } of created) {
          assert.equal(status, 201, text);
          addresses.add((body as { spec: { clusterIP: string } }).spec.clusterIP);
        }
      }
      assert.equal(addresses.size, 20);
    });

    it('never write the same system objects alternately', async () => {
      const first = await versionsOf(store, kept);
      assert.ok(first.size > 30, `${first.size} kept objects`);
      for (let index = 0; index < 10; index++) {
        for (const one of [older, newer]) {
          const name = `c-${index}-${one.port}`;
          assert.equal((await request(one, 'POST', `${namespace}/configmaps`, { metadata: { name } })).status, 201);
        }
      }
      assert.deepEqual(await versionsOf(store, kept), first);
    });
  });
}

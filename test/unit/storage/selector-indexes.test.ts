import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { defaultListFeatures } from '../../../src/api/request/list-features.ts';
import { parseSelectors, selectionOf } from '../../../src/api/options/selection.ts';
import { commonFields } from '../../../src/meta/field-selector.ts';
import type { CacheList, ReadAt, ResourceCache } from '../../../src/storage/cache/resource-cache.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { FaultyStore, newCache, pod, podKey, pods, put, remove } from './fixture.ts';

const fieldsOf = ({ spec }: JsonObject): Record<string, string> => {
  const node = isJsonObject(spec) ? spec['nodeName'] : undefined;
  return typeof node === 'string' ? { 'spec.nodeName': node } : {};
};

const namespaces = ['a', 'b'];
const selectors: readonly Readonly<Record<string, string>>[] = [
  { labelSelector: 'app=x' },
  { labelSelector: 'app in (x,y)' },
  { labelSelector: 'app=x,tier=front' },
  { labelSelector: 'tier=front,app!=x' },
  { labelSelector: 'app=never' },
  { labelSelector: 'app=x,app=y' },
  { labelSelector: '!app,tier' },
  { fieldSelector: 'spec.nodeName=n1' },
  { fieldSelector: 'spec.nodeName=' },
  { fieldSelector: 'spec.nodeName=n2,metadata.namespace=a', labelSelector: 'tier' },
  { fieldSelector: 'spec.nodeName=n1,metadata.name!=p3' },
];

const arbitraryObject = fc.record({
  app: fc.constantFrom('x', 'y', 'z', undefined),
  tier: fc.constantFrom('front', 'back', undefined),
  node: fc.constantFrom('n1', 'n2', '', undefined),
});

interface Wanted {
  readonly app: string | undefined;
  readonly tier: string | undefined;
  readonly node: string | undefined;
}

function podOf(namespace: string, name: string, { app, tier, node }: Wanted): JsonObject {
  const labels = { ...(app ? { app } : {}), ...(tier ? { tier } : {}) };
  return pod(namespace, name, labels, node === undefined ? {} : { spec: { nodeName: node } });
}

/** A list by terms, and the same by a look at all. */
async function bothWays(
  cache: ResourceCache,
  selector: Readonly<Record<string, string>>,
  query: { readonly namespace: string; readonly at: ReadAt; readonly limit: number; readonly afterKey?: string },
): Promise<CacheList> {
  const { filter, terms } = selectionOf(
    parseSelectors(new URLSearchParams(selector), defaultListFeatures),
    new Map([...commonFields, ['spec.nodeName', 'spec.nodeName']]),
  );
  const selected = { ...query, ...(filter ? { filter } : {}) };
  const plain = await cache.list(selected);
  const byTerms = await cache.list({ ...selected, ...(terms ? { terms } : {}) });
  assert.deepEqual(keysOf(byTerms), keysOf(plain));
  assert.equal(byTerms.lastKey, plain.lastKey);
  assert.equal(byTerms.remaining, plain.remaining);
  return byTerms;
}

function keysOf({ objects }: CacheList): string[] {
  return objects.map(({ key, revision }) => `${key} ${revision}`);
}

describe('indexes of labels and fields', () => {
  let store: FaultyStore;

  beforeEach(() => {
    store = new FaultyStore();
  });

  /** So many objects that lists go by the indexes. */
  async function fill(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const [app, tier] = [['x', 'y', 'z', undefined][index % 9], ['front', undefined][index % 4]];
      const node = ['n1', 'n2', ''][index % 7];
      const name = `p${String(index).padStart(4, '0')}`;
      await put(
        store,
        podKey(namespaces[index % 2] ?? '', name),
        podOf(namespaces[index % 2] ?? '', name, { app, tier, node }),
      );
    }
  }

  it('answer what a look at all answers, in every page, now and at revisions of the past', async () => {
    await fill(400);
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ change: arbitraryObject, at: fc.nat(420) }) },
      { weight: 1, arbitrary: fc.record({ removed: fc.nat(420) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          selector: fc.constantFrom(...selectors),
          namespace: fc.constantFrom('', ...namespaces),
          limit: fc.constantFrom(0, 1, 7, 500),
          back: fc.nat(10),
        }),
      },
    );
    const caches = newCache(store);
    const cache = caches.resource(pods, { decoding: { fieldsOf } });
    const { revision: filledAt } = await cache.list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const one of steps) {
          if ('selector' in one) {
            const { selector, namespace, limit, back } = one;
            const first = await bothWays(cache, selector, { namespace, at: { kind: 'latest' }, limit });
            const at: ReadAt = { kind: 'exact', revision: Math.max(filledAt, first.revision - back) };
            for (let page = await bothWays(cache, selector, { namespace, at, limit }); page.lastKey; ) {
              if (limit === 1 && keysOf(page).length > 3) break;
              page = await bothWays(cache, selector, { namespace, at, limit: limit * 5, afterKey: page.lastKey });
            }
          } else {
            const index = 'change' in one ? one.at : one.removed;
            const namespace = namespaces[index % 2] ?? '';
            const name = `p${String(index).padStart(4, '0')}`;
            const key = podKey(namespace, name);
            if ('change' in one) await put(store, key, podOf(namespace, name, one.change));
            else if ((await store.get(key)).current) await remove(store, key);
          }
        }
      }),
      { numRuns: 25 },
    );
    await caches.close();
  });

  it('are built while objects change, and rebuilt when the log no longer has the missed changes', async () => {
    await fill(600);
    let now = 0;
    const caches = newCache(store, { history: { historyMs: 300_000, bytes: 1 << 20, events: 5 } });
    const cache = caches.resource(pods, { decoding: { fieldsOf } });
    const query = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;
    await cache.list(query);
    const [selector] = selectors;
    const listing = bothWays(cache, selector ?? {}, query);
    for (let index = 0; index < 20; index++) {
      now++;
      const name = `p${String(index).padStart(4, '0')}`;
      await put(store, podKey('a', name), podOf('a', name, { app: 'x', tier: undefined, node: undefined }));
    }
    await listing;
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 10; index++) {
        const name = `q${round}-${index + now}`;
        await put(store, podKey('b', name), podOf('b', name, { app: 'x', tier: 'front', node: 'n1' }));
      }
      const page = await bothWays(cache, selector ?? {}, query);
      assert.equal(page.objects.filter(({ name }) => name.startsWith('q')).length, (round + 1) * 10);
    }
    await caches.close();
  });

  it('put objects of thousands of values in order, and ask for thousands of labels, in little time', async () => {
    for (let i = 0; i < 20_000; i++) await put(store, podKey('a', `p${i}`), pod('a', `p${i}`, { own: `v${i}` }));
    const cache = newCache(store);
    const resource = cache.resource(pods);
    const list = (labelSelector: string) => {
      const { filter, terms } = selectionOf(
        parseSelectors(new URLSearchParams({ labelSelector }), defaultListFeatures),
        new Map(),
      );
      assert.ok(filter && terms);
      return resource.list({ namespace: '', at: { kind: 'any' }, limit: 0, filter, terms });
    };
    await list('own=v1');
    const before = process.cpuUsage();
    const values = Array.from({ length: 1_500 }, (_, i) => `v${i * 7}`);
    const selected = await list(`own in (${values.join(',')})`);
    assert.deepEqual(keysOf(selected), keysOf(selected).toSorted());
    assert.equal(selected.objects.length, values.length);
    assert.equal(
      (await list(`own in (${Array.from({ length: 9_000 }, (_, i) => `v${i}`).join(',')})`)).objects.length,
      9_000,
    );
    assert.equal((await list(values.map((value) => `${value}=1`).join(','))).objects.length, 0);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 1_500_000, `${user} µs`);
    await cache.close();
  });

  it('spare the look at what is not selected', async () => {
    await fill(600);
    const caches = newCache(store);
    const cache = caches.resource(pods, { decoding: { fieldsOf } });
    const { filter, terms } = selectionOf(
      parseSelectors(new URLSearchParams({ labelSelector: 'app=x,tier=front' }), defaultListFeatures),
      new Map(),
    );
    let looks = 0;
    const counted: NonNullable<typeof filter> = (index, object) => {
      looks++;
      return filter?.(index, object) ?? false;
    };
    const query = {
      namespace: '',
      at: { kind: 'latest' },
      limit: 0,
      filter: counted,
      ...(terms ? { terms } : {}),
    } as const;
    const { objects } = await cache.list(query);
    assert.ok(objects.length > 0);
    assert.ok(looks < 100, `${looks} looks for ${objects.length} objects`);
    await caches.close();
  });
});

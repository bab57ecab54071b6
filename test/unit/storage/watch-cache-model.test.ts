import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CacheEvent, ObjectFilter } from '../../../src/storage/cache/resource-cache.ts';
import { after, FaultyStore, newCache, podKey, pods, putPod, readWatch, remove, describeEvents } from './fixture.ts';

type Labels = Readonly<Record<string, string>>;

/** One write of the script: labels to put, or undefined to delete. */
interface ScriptedWrite {
  readonly name: string;
  readonly labels: Labels | undefined;
}

interface LoggedChange {
  readonly name: string;
  readonly revision: number;
  readonly before: Labels | undefined;
  readonly after: Labels | undefined;
}

const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('0', '1'), { maxKeys: 3 });
const change: fc.Arbitrary<ScriptedWrite> = fc.record({
  name: fc.constantFrom('v', 'w', 'x', 'y', 'z'),
  labels: fc.option(labels, { nil: undefined, freq: 4 }),
});
const script = fc.array(change, { minLength: 1, maxLength: 40 });

const selections: readonly ((labels: Labels) => boolean)[] = [
  () => true,
  (found) => found['a'] === '1',
  (found) => found['b'] !== '0',
  (found) => found['a'] === '1' && 'c' in found,
];
const filters = selections.map((selects, i): ObjectFilter | undefined =>
  i === 0 ? undefined : (index) => selects(Object.fromEntries(index.labels)),
);

/** What a watch with a selection must be told of the changes after a revision: the oracle. */
function expected(log: readonly LoggedChange[], selects: (labels: Labels) => boolean, afterRevision: number): string[] {
  return log.flatMap((entry) => {
    if (entry.revision <= afterRevision) return [];
    const was = entry.before !== undefined && selects(entry.before);
    const is = entry.after !== undefined && selects(entry.after);
    if (!was && !is) return [];
    const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
    const shown = is ? entry.after : entry.before;
    return [`${type} ${entry.name} ${entry.revision} ${JSON.stringify(shown)}`];
  });
}

function toldWithLabels(events: readonly CacheEvent[]): string[] {
  return events.map((event) => {
    if (event.type === 'BOOKMARK') return 'BOOKMARK';
    // Written by this test.
    const { metadata } = event.object.decode() as { metadata: { labels: Labels; resourceVersion: string } };
    assert.equal(metadata.resourceVersion, String(event.object.revision));
    return `${describeEvents([event])[0]} ${JSON.stringify(metadata.labels)}`;
  });
}

/** Writes a script; deletions of what is not there are left out. `live` goes with it, over several scripts. */
async function play(
  store: FaultyStore,
  changes: readonly ScriptedWrite[],
  live: Map<string, Labels>,
): Promise<LoggedChange[]> {
  const log: LoggedChange[] = [];
  for (const { name, labels: written } of changes) {
    const before = live.get(name);
    if (!written && !before) continue;
    const revision = written
      ? await putPod(store, 'ns', name, { ...written })
      : await remove(store, podKey('ns', name));
    if (written) live.set(name, written);
    else live.delete(name);
    log.push({ name, revision, before, after: written });
  }
  return log;
}

describe('watches of random writes', () => {
  it('deliver exactly the events of the model, for every selection and start', async () => {
    await fc.assert(
      fc.asyncProperty(
        script,
        script,
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        async (early, late, small, kept) => {
          const store = new FaultyStore();
          const history = { historyMs: 60_000, bytes: 1 << 20, events: small ? kept : 1_000 };
          const cache = newCache(store, { history });
          const resource = cache.resource(pods);
          const first = (await store.status()).revision;
          // Some writes come before the cache is filled, so watches from there need the history of the store.
          const labelsOf = new Map<string, Labels>();
          const log = await play(store, early, labelsOf);
          const filled = await resource.list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
          const live = selections.map((_, i) => readWatch(resource, { ...after(filled.revision), filter: filters[i] }));
          const settle = () => resource.list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
          log.push(...(await play(store, late, labelsOf)));
          await settle();
          const starts = [first, filled.revision, ...log.map(({ revision }) => revision)];
          for (const [i, selects] of selections.entries()) {
            const wanted = expected(log, selects, filled.revision);
            await live[i]?.until(wanted.length);
            assert.deepEqual(toldWithLabels(live[i]?.events ?? []), wanted, 'live');
            for (const start of starts) {
              const resumed = readWatch(resource, { ...after(start), filter: filters[i] });
              const rest = expected(log, selects, start);
              await resumed.until(rest.length);
              assert.deepEqual(toldWithLabels(resumed.events), rest, `resumed after ${start}`);
              await resumed.stop();
            }
          }
          await Promise.all(live.map((each) => each.stop()));
          assert.equal(cache.watches, 0);
          await cache.close();
          await store.close();
        },
      ),
      { numRuns: 25 },
    );
  });
});

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryStore } from '../../src/storage/memory/memory-store.ts';
import type { ObjectStore, StoreEvent, WatchBatch } from '../../src/storage/port/object-store.ts';
import { serveStore } from '../../src/storage/remote/store-server.ts';
import { startServer } from '../../src/testing/index.ts';
import { ApiClient } from './api-client.ts';
import { checkHistory } from './check-history.ts';
import { EventLog, type LogEntry } from './event-log.ts';
import { emptyHistory, type Finding } from './history.ts';
import { randomFrom } from './random.ts';
import { trafficChange } from './referee.ts';
import { createNamespace } from './run-scenario.ts';
import { startTraffic } from './traffic-crew.ts';

/** What a store with a bug does to what it is about to tell, or is told to do. */
interface Bug {
  /** The layer in which such a bug would be. */
  readonly layer: 'the watch' | 'the revision' | 'writes';
  readonly name: string;
  /** One of these promises must be found broken. */
  readonly promises: readonly string[];
  readonly batch?: (batch: WatchBatch, turn: number) => WatchBatch;
  /** It tells everything so much later, more in longer runs, and says that it has no more than it has told. */
  readonly lagMs?: number;
  /** Calls that it makes otherwise; `turn` counts them. */
  readonly calls?: (store: ObjectStore, turn: () => number) => Partial<ObjectStore>;
}

const isTraffic = (key: string): boolean => key.startsWith('/registry/configmaps/');
const isConfigMap = (event: StoreEvent): boolean => isTraffic(event.type === 'put' ? event.current.key : event.key);

const bugs: readonly Bug[] = [
  {
    layer: 'the watch',
    name: 'skips an event now and then',
    promises: ['P8'],
    batch: (batch, turn) =>
      turn % 20 === 19 ? { ...batch, events: batch.events.filter((one) => !isConfigMap(one)) } : batch,
  },
  {
    layer: 'the watch',
    name: 'loses deletions',
    promises: ['P8'],
    batch: (batch) => ({ ...batch, events: batch.events.filter((one) => one.type === 'put' || !isConfigMap(one)) }),
  },
  { layer: 'the revision', name: 'lags and does not know, so that reads are stale', promises: ['P1'], lagMs: 100 },
  {
    layer: 'writes',
    name: 'acknowledges updates that it does not make',
    promises: ['P20', 'P1'],
    calls: (store, turn) => ({
      update: async (key, value, expected, options) => {
        if (!isTraffic(key) || turn() % 8 !== 7) return store.update(key, value, expected, options);
        return { swapped: true, revision: (await store.status()).revision };
      },
    }),
  },
  {
    layer: 'writes',
    name: 'overwrites what others have written meanwhile',
    promises: ['P2', 'P1'],
    calls: (store) => ({
      update: async (key, value, expected, options) => {
        const result = await store.update(key, value, expected, options);
        if (result.swapped || !result.current || !isTraffic(key)) return result;
        return store.update(key, value, result.current.revision, options);
      },
    }),
  },
];

/**
 * How long a server works. One with a bug works longer if it was not caught, and lags more: a slow machine does less, and
 * answers later than a short lag.
 */
const trafficMs = 1_500;
const longestTrafficMs = 12_000;

describe('The checker of histories, on a real server over a store with a bug', () => {
  it('finds nothing where there is no bug', async () => {
    assert.deepEqual(await findingsOf(undefined), []);
  });

  for (const bug of bugs) {
    it(`catches a store that ${bug.name} (${bug.layer})`, async () => {
      let findings: readonly Finding[] = [];
      const isCaught = (): boolean => findings.some(({ promise }) => bug.promises.includes(promise));
      for (let ms = trafficMs; ms <= longestTrafficMs && !isCaught(); ms *= 2) findings = await findingsOf(bug, ms);
      assert.ok(isCaught(), JSON.stringify(findings.slice(0, 5)));
    });
  }
});

/** Runs traffic on a server over a store with a bug; the referee reads the store itself. */
async function findingsOf(bug: Bug | undefined, ms = trafficMs): Promise<Finding[]> {
  const store = new MemoryStore();
  const stop = new AbortController();
  const changes: Omit<LogEntry, 'previous'>[] = [];
  await store.create('/registry/~/first', Buffer.from('{}'));
  const { revision } = await store.status();
  const follow = async (): Promise<void> => {
    for await (const { events } of store.watch('/registry/', { afterRevision: revision, signal: stop.signal })) {
      for (const event of events) changes.push(...[trafficChange(event)].filter((change) => change !== undefined));
    }
  };
  const followed = follow();
  const served = await serveStore(bug ? withBug(store, bug, ms / trafficMs) : store, '127.0.0.1:0');
  await using server = await startServer({ store: { kind: 'remote', endpoint: served.endpoint } });
  const client = new ApiClient(server);
  const history = emptyHistory();
  try {
    await createNamespace(client, 'other');
    const crew = startTraffic({ servers: [client], history, random: randomFrom(5), rate: 200 });
    await sleep(ms);
    await crew.stopRequests();
    await crew.stopWatches();
    stop.abort();
    await followed;
    return checkHistory(history, new EventLog(changes));
  } finally {
    stop.abort();
    await client.close();
    await served.close();
  }
}

function withBug(store: ObjectStore, { batch = (same) => same, lagMs = 0, calls }: Bug, slowness: number): ObjectStore {
  let turn = 0;
  let calledTimes = 0;
  let reportedRevision = 0;
  const buggy: Partial<ObjectStore> = {
    async *watch(prefix, options) {
      for await (const one of store.watch(prefix, options)) {
        if (lagMs > 0) await sleep(lagMs * slowness);
        reportedRevision = one.revision;
        yield batch(one, turn++);
      }
    },
    async status(options) {
      const status = await store.status(options);
      return lagMs > 0 && reportedRevision > 0 ? { ...status, revision: reportedRevision } : status;
    },
    ...calls?.(store, () => calledTimes++),
  };
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(buggy, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

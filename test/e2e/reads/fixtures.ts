import type { TestServerOptions } from '../../../src/testing/index.ts';

/** The servers that the tables of reads are checked on. */
interface ReadFixture {
  readonly name: string;
  readonly options: TestServerOptions;
}

/** No compaction, so that nothing but the test moves the store on and every revision stays readable. */
const quiet: TestServerOptions = { compactionIntervalMs: 0 };

/** A cache without history of its own has to read everything that is past from the store. */
const noHistory: TestServerOptions = { ...quiet, watchHistoryMs: 1 };

/** Both stores, each with the past in the cache's memory and in the store alone. */
export const readFixtures: readonly ReadFixture[] = [
  { name: 'memory, history in the cache', options: { ...quiet, store: 'memory' } },
  { name: 'memory, history in the store', options: { ...noHistory, store: 'memory' } },
  { name: 'etcd, history in the cache', options: { ...quiet, store: 'etcd' } },
  { name: 'etcd, history in the store', options: { ...noHistory, store: 'etcd' } },
];

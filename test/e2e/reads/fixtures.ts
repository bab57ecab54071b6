import type { TestServerOptions } from '../../../src/testing/index.ts';
import { everyCase } from '../../every-case.ts';

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
const everyFixture: readonly ReadFixture[] = [
  { name: 'memory, history in the cache', options: { ...quiet, store: 'memory' } },
  { name: 'memory, history in the store', options: { ...noHistory, store: 'memory' } },
  { name: 'etcd, history in the cache', options: { ...quiet, store: 'etcd' } },
  { name: 'etcd, history in the store', options: { ...noHistory, store: 'etcd' } },
];

/** In `make test` each store and each place of the past once: the past of etcd is read from etcd. */
export const readFixtures: readonly ReadFixture[] = everyCase
  ? everyFixture
  : everyFixture.filter(({ options }) => (options.store === 'etcd') === 'watchHistoryMs' in options);

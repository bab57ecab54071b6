import type { Mutant } from './mutant.ts';

const etcdErrors = ['contract/etcd-faults.test.js'];
const etcdStore = ['contract/object-store.test.js'];
const cacheErrors = ['unit/storage/watch-cache-faults.test.js'];
const watches = ['unit/storage/watch-cache-watches.test.js'];
const unaryCalls = ['contract/unary-calls.test.js'];
const allocation = ['unit/server/service-allocation.test.js'];

/** Mutants that no test noticed once, or that made tests hang. Each has a test now, and must be noticed. */
export const knownMutants: readonly Mutant[] = [
  {
    name: 'a key from before a creation counts as created by it',
    file: 'src/storage/etcd/etcd-store.js',
    from: ' && current.revision > before',
    to: '',
    tests: etcdErrors,
  },
  {
    name: "another's creation counts as our own",
    file: 'src/storage/etcd/etcd-store.js',
    from: '!mine || Buffer.compare(current.value, value) !== 0',
    to: '!mine',
    tests: etcdErrors,
  },
  {
    name: "another's change counts as our creation",
    file: 'src/storage/etcd/etcd-store.js',
    from: ' && current.revision === current.createRevision',
    to: '',
    tests: etcdErrors,
  },
  {
    name: 'a watch begins behind the revision that is known',
    file: 'src/etcd/watch-prefix.js',
    from: 'start_revision: afterRevision,',
    to: 'start_revision: afterRevision + 1,',
    tests: etcdStore,
  },
  {
    name: 'a reset during an initial list is ignored',
    file: 'src/storage/cache/initial-list.js',
    from: 'feed.generation !== generation',
    to: 'false',
    tests: cacheErrors,
  },
  {
    name: 'a batch is delivered after its stream was given up',
    file: 'src/storage/cache/reflector.js',
    from: 'if (signal.aborted)\n                    return;',
    to: '',
    tests: ['unit/storage/reflector.test.js'],
  },
  {
    name: 'a state that was given up during a wait is read',
    file: 'src/storage/cache/cached-resource.js',
    from: 'await feed.reaches(wanted, patience, signal));\n            if (this.#state !== state)\n                continue;',
    to: 'await feed.reaches(wanted, patience, signal));',
    tests: cacheErrors,
  },
  {
    name: 'events from before the initial list are applied',
    file: 'src/storage/cache/resource-state.js',
    from: 'revision <= this.filledAt',
    to: 'false',
    tests: ['unit/storage/resource-state.test.js'],
  },
  {
    name: 'a bookmark comes before a future start',
    file: 'src/storage/cache/subscriber.js',
    from: "this.#end || revision < this.#options.afterRevision)\n            return;\n        this.#push({ type: 'BOOKMARK'",
    to: "this.#end)\n            return;\n        this.#push({ type: 'BOOKMARK'",
    tests: watches,
  },
  {
    name: 'a create of unknown outcome gives back what it took',
    file: 'src/registry/write/create-object.js',
    from: '!mayBeWritten(error)',
    to: 'true',
    tests: allocation,
  },
  {
    name: 'an update of unknown outcome gives back what it took',
    file: 'src/registry/write/update-loop.js',
    from: '!mayBeWritten(error)',
    to: 'true',
    tests: allocation,
  },
  {
    name: 'the store is compacted before the mark is won',
    file: 'src/storage/port/compaction.js',
    from: '    const swap = await swapMark(options, mark, now);',
    to: '    if (mark.upTo > 0) await store.compact(mark.upTo, { signal });\n    const swap = await swapMark(options, mark, now);',
    tests: ['unit/storage/compaction.test.js'],
  },
  {
    name: 'one compacted start spoils the shared reading of history',
    file: 'src/storage/cache/history-extension.js',
    from: "error.code !== 'Compacted'",
    to: 'true',
    tests: watches,
  },
  {
    name: 'a log is extended across a gap',
    file: 'src/storage/cache/history-extension.js',
    from: 'fits && readUpTo < this.#log.start',
    to: 'false',
    tests: ['unit/storage/history-extension.test.js'],
  },
  {
    name: 'the event log is cut inside a revision',
    file: 'src/storage/cache/event-log.js',
    from: ' && first.revision > this.#start',
    to: '',
    tests: ['unit/storage/event-log.test.js'],
  },
  {
    name: 'a list waits for a watch that is known to be broken',
    file: 'src/storage/cache/cached-resource.js',
    from: ', untilBroken: true',
    to: '',
    tests: ['contract/broken-watch.test.js'],
  },
  {
    name: 'a silent watch is not given up',
    file: 'src/storage/cache/reflector.js',
    from: '        stream.abort();',
    to: '',
    tests: cacheErrors,
  },
  {
    name: 'a watch is given up after it was accepted',
    file: 'src/etcd/watch-stream.js',
    from: 'for await (const answer of stream) {\n            clearTimeout(timer);',
    to: 'for await (const answer of stream) {',
    tests: etcdErrors,
  },
  {
    name: 'a call waits for ever when the other side takes no more',
    file: 'src/etcd/grpc/grpc-connection.js',
    from: 'if (this.#waiting.size > 0 && this.#made)\n            this.#sendWaiting();',
    to: '',
    tests: unaryCalls,
  },
  {
    name: 'a call that is blocked by a window is not sent on',
    file: 'src/etcd/grpc/grpc-connection.js',
    from: 'if (this.#blocked.size > 0)\n            this.#sendBlocked();',
    to: '',
    tests: unaryCalls,
  },
];

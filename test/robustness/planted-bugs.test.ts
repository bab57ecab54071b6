import assert from 'node:assert/strict';
import { cpuMsOf } from '../unit/cpu-time.ts';
import { checkHistory } from './check-history.ts';
import { membersAgree, rawLogIsWhole } from './checks/raw-log.ts';
import type { Finding, Operation, WatchDocument, WatchRecord } from './history.ts';
import { type ModelRun, modelRun } from './model-history.ts';

/** A fault, put into what a faultless server did. Answers whether it found a place for it. */
interface PlantedBug {
  readonly name: string;
  readonly promise: string;
  readonly plant: (run: ModelRun) => boolean;
}

const bugs: readonly PlantedBug[] = [
  { name: 'skips an event', promise: 'P8', plant: inSomeWatch(isEvent, (documents, at) => documents.splice(at, 1)) },
  {
    name: 'tells an event twice',
    promise: 'P6',
    plant: inSomeWatch(isEvent, (documents, at) => documents.splice(at, 0, ...documents.slice(at, at + 1))),
  },
  {
    name: 'tells two events in the wrong order',
    promise: 'P5',
    plant: inSomeWatch(
      (document, next) => isEvent(document) && next !== undefined && isEvent(next),
      (documents, at) => documents.splice(at, 2, ...documents.slice(at, at + 2).toReversed()),
    ),
  },
  {
    name: 'sends a bookmark before the events that it covers',
    promise: 'P5',
    plant: inSomeWatch(
      (document, next) => isEvent(document) && next?.type === 'BOOKMARK',
      (documents, at) => documents.splice(at, 2, ...documents.slice(at, at + 2).toReversed()),
    ),
  },
  {
    name: 'sends a bookmark that takes the place of an event',
    promise: 'P8',
    plant: inSomeWatch(isEvent, (documents, at) => {
      const { at: time, revision } = documents[at] ?? { at: 0, revision: 0 };
      documents.splice(at, 1, { at: time, type: 'BOOKMARK', revision, version: undefined, endsInitialState: false });
    }),
  },
  {
    name: 'loses a deletion in a watch',
    promise: 'P8',
    plant: inSomeWatch(
      ({ type }) => type === 'DELETED',
      (documents, at) => documents.splice(at, 1),
    ),
  },
  {
    name: 'calls a new object MODIFIED',
    promise: 'P12',
    plant: inSomeWatch(
      ({ type, endsInitialState }, _next, live) => live && type === 'ADDED' && !endsInitialState,
      (documents, at) => change(documents, at, { type: 'MODIFIED' }),
    ),
  },
  {
    name: 'sends a deletion with a state that did not match',
    promise: 'P12',
    plant: inSomeWatch(
      ({ type }) => type === 'DELETED',
      (documents, at) => {
        const version = documents[at]?.version;
        if (version) change(documents, at, { version: { ...version, body: 'another state' } });
      },
    ),
  },
  {
    name: 'goes on silently where history was lost',
    promise: 'P8',
    plant: ({ history }) => {
      const watch = history.watches.find(({ start, documents }) => start.kind === 'after' && documents.length > 30);
      watch?.documents.splice(0, 10);
      return watch !== undefined;
    },
  },
  {
    name: 'says that history is lost which is there',
    promise: 'P15',
    plant: inSomeWatch(isEvent, (_documents, _at, watch) => {
      watch.errorCode = 410;
    }),
  },
  {
    name: 'stops telling and stays open',
    promise: 'P8',
    plant: inSomeWatch(isEvent, (documents, at) => documents.splice(at)),
  },
  {
    name: 'begins a watch with an object missing',
    promise: 'P14',
    plant: ({ history }) => {
      const watch = history.watches.find(({ documents }) => documents.findIndex((one) => one.endsInitialState) > 1);
      watch?.documents.splice(0, 1);
      return watch !== undefined;
    },
  },
  {
    name: 'answers a stale list',
    promise: 'P1',
    plant: inSome(
      ({ list, scope }) => list !== undefined && scope.color === '' && scope.name === '',
      (operation, { history, log }) => {
        const before = history.operations.filter((other) => other.return < operation.call && other.object);
        const revision = (before.at(-1)?.object?.revision ?? 0) - 3;
        const items = log.state(operation.scope, revision);
        return { list: { revisions: [revision], items, remaining: [undefined], pageSizes: [items.length] } };
      },
    ),
  },
  {
    name: 'answers a list from which an object is missing',
    promise: 'P1',
    plant: inSome(
      ({ list }) => (list?.items.length ?? 0) > 1,
      ({ list }) => (list ? { list: { ...list, items: list.items.slice(1) } } : {}),
    ),
  },
  {
    name: 'answers pages of two snapshots',
    promise: 'P17',
    plant: inSome(
      ({ list }) => (list?.items.length ?? 0) > 1,
      ({ list }) => (list ? { list: { ...list, revisions: [...list.revisions, (list.revisions[0] ?? 0) + 1] } } : {}),
    ),
  },
  {
    name: 'answers a stale GET',
    promise: 'P1',
    plant: inSome(
      ({ verb, object, key, call }, { history }) =>
        verb === 'get' && object !== undefined && latestWrite(history.operations, key, call) !== undefined,
      ({ key, call }, { history, log }) => {
        const written = latestWrite(history.operations, key, call)?.object?.revision ?? 0;
        return { object: log.at(key, written - 1), outcome: 'ok', status: 200 };
      },
    ),
  },
  {
    name: 'answers a GET of an object that is gone',
    promise: 'P1',
    plant: inSome(
      ({ verb, status, key, call }, { log, history }) =>
        verb === 'get' &&
        status === 404 &&
        history.operations.some((one) => one.call < call - 100 && one.key === key) &&
        log.next(key, 0) !== undefined,
      ({ key }, { log }) => ({ outcome: 'ok', status: 200, reason: '', object: log.next(key, 0)?.current }),
    ),
  },
  {
    name: 'loses a write that it acknowledged',
    promise: 'P20',
    plant: inSome(
      ({ verb, outcome }) => verb === 'update' && outcome === 'ok',
      () => ({ mark: 'never stored' }),
    ),
  },
  {
    name: 'acknowledges a deletion that never happened',
    promise: 'P20',
    plant: inSome(
      ({ verb, outcome }) => verb === 'delete' && outcome === 'ok',
      ({ object }) => (object ? { object: { ...object, uid: 'still there' } } : {}),
    ),
  },
  {
    name: 'ignores the precondition of an update',
    promise: 'P2',
    plant: inSome(
      ({ verb, outcome }) => verb === 'update' && outcome === 'ok',
      ({ precondition }) => ({ precondition: precondition - 1 }),
    ),
  },
  {
    name: 'ignores the test of a JSON patch',
    promise: 'P2',
    plant: inSome(
      ({ verb, outcome }) => verb === 'update' && outcome === 'ok',
      () => ({ verb: 'patch', precondition: 0, demandedMark: 'another' }),
    ),
  },
  {
    name: 'carries out a dry run',
    promise: 'P22',
    plant: inSome(
      ({ verb, outcome }) => verb === 'update' && outcome === 'ok',
      () => ({ verb: 'dryRun', precondition: 0 }),
    ),
  },
  {
    name: 'refuses a write that it carries out',
    promise: 'P21',
    plant: inSome(
      ({ verb, outcome }) => verb === 'update' && outcome === 'ok',
      () => ({ outcome: 'refused', status: 422, reason: 'Invalid', object: undefined }),
    ),
  },
  {
    name: 'says of a name that it is taken when it is free',
    promise: 'P1',
    plant: inSome(
      ({ verb, status }) => verb === 'get' && status === 404,
      () => ({ verb: 'create', status: 409, reason: 'AlreadyExists', mark: 'refused' }),
    ),
  },
  {
    name: 'gives two writes one revision',
    promise: 'P1',
    plant: ({ history }) => {
      const [first, second] = history.operations.filter(({ verb, outcome }) => verb === 'update' && outcome === 'ok');
      if (!first || !second) return false;
      history.operations[history.operations.indexOf(second)] = { ...second, object: first.object };
      return true;
    },
  },
  {
    name: 'answers a revision of the future',
    promise: 'P16',
    plant: inSome(
      ({ verb, outcome }) => verb === 'get' && outcome === 'ok',
      () => ({ freshness: { kind: 'tooNew' } }),
    ),
  },
  {
    name: 'expires a page that it still has',
    promise: 'P15',
    plant: inSome(
      ({ verb }) => verb === 'list',
      ({ list }) => ({
        outcome: 'refused',
        status: 410,
        reason: 'Expired',
        list: undefined,
        expired: { revision: list?.revisions[0] ?? 0, token: true },
      }),
    ),
  },
];

describe('The checker of histories', () => {
  it('finds nothing in what a faultless server did', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { history, log } = modelRun(seed);
      assert.deepEqual(checkHistory(history, log), [], `seed ${seed}`);
    }
  });

  for (const { name, promise, plant } of bugs) {
    it(`catches a server that ${name}`, () => {
      const run = modelRun(7);
      assert.ok(plant(run), 'there is a place for the bug');
      const findings = checkHistory(run.history, run.log);
      assert.ok(
        findings.some((finding) => finding.promise === promise),
        `${promise} in ${listed(findings)}`,
      );
    });
  }

  it('distinguishes a fault of etcd from one of this server', () => {
    const raw = modelRun(1).changes.map(({ revision, key }) => ({ revision, key, what: `${key} ${revision}` }));
    assert.deepEqual(rawLogIsWhole(raw), []);
    assert.deepEqual(membersAgree([raw, raw.slice(0, 50)]), []);
    assert.equal(rawLogIsWhole(raw.toSpliced(20, 1)).length, 1);
    assert.equal(rawLogIsWhole(raw.toSpliced(20, 0, ...raw.slice(20, 21))).length, 1);
    assert.equal(membersAgree([raw, raw.map((one, i) => (i === 9 ? { ...one, what: 'other' } : one))]).length, 1);
  });

  it('checks a long history in a moment', async () => {
    const { history, log } = modelRun(3, 6_000);
    const cpuMs = await cpuMsOf(() => assert.deepEqual(checkHistory(history, log), []));
    assert.ok(cpuMs < 10_000, `${cpuMs} ms`);
  });
});

function isEvent({ version }: WatchDocument): boolean {
  return version !== undefined;
}

/** Plants a bug behind the first thing that follows the initial state of some watch. */
function inSomeWatch(
  suits: (document: WatchDocument, next: WatchDocument | undefined, live: boolean) => boolean,
  plant: (documents: WatchDocument[], at: number, watch: WatchRecord) => unknown,
): PlantedBug['plant'] {
  return ({ history }) => {
    for (const watch of history.watches) {
      const { documents } = watch;
      const firstLive = watch.start.kind === 'after' ? 0 : documents.findIndex(({ type }) => type !== 'ADDED') + 1;
      const at = documents.findIndex((document, i) => i >= firstLive + 3 && suits(document, documents[i + 1], true));
      if (at < 0 || documents.length < 20) continue;
      plant(documents, at, watch);
      return true;
    }
    return false;
  };
}

/** Changes one operation in the midst of a run. */
function inSome(
  suits: (operation: Operation, run: ModelRun) => boolean,
  changed: (operation: Operation, run: ModelRun) => Partial<Operation>,
): PlantedBug['plant'] {
  return (run) => {
    const { operations } = run.history;
    const at = operations.findIndex((operation, i) => i > 150 && suits(operation, run));
    const operation = operations[at];
    if (operation) operations[at] = { ...operation, ...changed(operation, run) };
    return operation !== undefined;
  };
}

function latestWrite(operations: readonly Operation[], key: string, call: number): Operation | undefined {
  const before = operations.filter((one) => one.return < call && one.key === key && one.call > call - 500);
  return before.findLast(({ verb, object }) => verb === 'update' && object !== undefined);
}

function change(documents: WatchDocument[], at: number, changed: Partial<WatchDocument>): void {
  const document = documents[at];
  if (document) documents[at] = { ...document, ...changed };
}

function listed(findings: readonly Finding[]): string {
  return findings.map(({ promise, message }) => `${promise}: ${message}`).join('\n') || 'nothing';
}

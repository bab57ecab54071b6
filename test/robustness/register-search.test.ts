import assert from 'node:assert/strict';
import { type ModelRun, modelRun } from './model-history.ts';
import type { Operation } from './history.ts';
import { searchHistory } from './search-history.ts';

const key = 'a/one';

/** The operations of a run, with one in its midst changed. */
function changed(
  { history }: ModelRun,
  suits: (operation: Operation, before: readonly Operation[]) => boolean,
  change: (operation: Operation, before: readonly Operation[]) => Partial<Operation>,
): { readonly operations: Operation[] } {
  const { operations } = history;
  const at = operations.findIndex((one, i) => i > 100 && suits(one, operations.slice(0, i)));
  const operation = operations[at] ?? assert.fail('there is no place for the bug');
  return { operations: operations.with(at, { ...operation, ...change(operation, operations.slice(0, at)) }) };
}

/** The states of a key that clients were told of, the newest last. */
const statesOf = (operations: readonly Operation[], of: string) =>
  operations.flatMap(({ key: where, verb, object }) => (where === of && verb !== 'delete' && object ? [object] : []));

describe('The search for an order, which knows what clients saw and no log', () => {
  it('finds one for what a faultless server did', () => {
    for (let seed = 1; seed <= 10; seed++) {
      assert.deepEqual(searchHistory(modelRun(seed).history), { findings: [], undecided: 0 }, `seed ${seed}`);
    }
  });

  const bugs: Readonly<Record<string, (run: ModelRun) => { readonly operations: Operation[] }>> = {
    'answers a get with what was there before': (run) =>
      changed(
        run,
        ({ verb, outcome, object, call }, before) => {
          const last = before.findLast((one) => one.key === object?.key && one.verb === 'update' && one.object);
          return verb === 'get' && outcome === 'ok' && last !== undefined && last.return < call;
        },
        ({ object }, before) => ({
          object: statesOf(before, object?.key ?? '').findLast(({ revision }) => revision < (object?.revision ?? 0)),
        }),
      ),
    'says of an object that it is not there': (run) =>
      changed(
        run,
        ({ verb, object }) => verb === 'get' && object !== undefined,
        () => ({ object: undefined, outcome: 'refused', status: 404, reason: 'NotFound' }),
      ),
    'lets two updates replace one state': (run) =>
      changed(
        run,
        ({ verb, outcome, object }) => verb === 'update' && outcome === 'ok' && object !== undefined,
        ({ precondition }) => ({ precondition: precondition - 1 }),
      ),
    'creates what is there': (run) =>
      changed(
        run,
        ({ verb, reason }) => verb === 'create' && reason === 'AlreadyExists',
        ({ key: where }) => ({
          outcome: 'ok',
          status: 201,
          reason: '',
          object: { key: where, revision: 100_000, uid: 'new', body: '', color: '', mark: 'new' },
        }),
      ),
    'gives a later write an older revision': (run) =>
      changed(
        run,
        ({ verb, outcome, object }) => verb === 'update' && outcome === 'ok' && object !== undefined,
        ({ object }) => (object ? { object: { ...object, revision: 2 } } : {}),
      ),
    'forgets a write in a list': (run) =>
      changed(
        run,
        ({ list, scope }) => scope.color === '' && (list?.items.length ?? 0) > 1,
        ({ list }) => (list ? { list: { ...list, items: list.items.slice(1) } } : {}),
      ),
    'carries out what it refused as unknown, and takes it back': ({ history }) => {
      const { operations } = history;
      const at = operations.findIndex(
        ({ outcome, key: where }, i) => i > 100 && outcome === 'unknown' && where === key,
      );
      const write = operations[at] ?? assert.fail('there is no place for the bug');
      const object = { key, revision: 0, uid: '', body: '', color: '', mark: write.mark };
      const before = statesOf(operations.slice(0, at), key).at(-1);
      const get = (call: number, seen: Operation['object']): Operation => ({
        ...write,
        verb: 'get',
        mark: '',
        outcome: 'ok',
        call,
        return: call + 1,
        object: seen,
      });
      return { operations: operations.toSpliced(at + 1, 0, get(write.call + 2, object), get(write.call + 4, before)) };
    },
  };

  for (const [name, plant] of Object.entries(bugs)) {
    it(`catches a server that ${name}`, () => {
      const { findings } = searchHistory(plant(modelRun(7)));
      assert.equal(findings.length, 1, JSON.stringify(findings));
    });
  }

  it('explains reads by writes without a response: they took place, later, or never', () => {
    const { operations } = modelRun(7).history;
    const at = operations.findIndex(({ outcome, verb }, i) => i > 100 && outcome === 'ok' && verb === 'update');
    const write = operations[at] ?? assert.fail('there is no update');
    const unknown: Operation = { ...write, outcome: 'unknown', status: 504, object: undefined };
    assert.deepEqual(searchHistory({ operations: operations.with(at, unknown) }).findings, []);
    const never: Operation = { ...unknown, mark: 'never', precondition: 0, call: 0 };
    assert.deepEqual(searchHistory({ operations: [...operations, never] }).findings, []);
  });

  it('says that it gave up rather than that all is well', () => {
    const operation = modelRun(1).history.operations[0] ?? assert.fail();
    const guesses = Array.from({ length: 30 }, (_, i): Operation => {
      const mark = `guess-${i}`;
      return {
        ...operation,
        key,
        verb: 'apply',
        mark,
        outcome: 'unknown',
        object: undefined,
        call: 0,
        list: undefined,
      };
    });
    const object = { key, revision: 9, uid: 'u', body: '', color: '', mark: 'nobody wrote this' };
    const read: Operation = { ...operation, key, verb: 'get', mark: '', outcome: 'ok', object, list: undefined };
    assert.equal(searchHistory({ operations: [...guesses, { ...read, call: 1, return: 2 }] }).undecided, 1);
  });
});

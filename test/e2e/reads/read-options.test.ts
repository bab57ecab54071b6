import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { type HttpResponse, request } from '../../http/http-client.ts';
import { checkRefusal, explained, parameter } from '../../http/reads/check-refusal.ts';
import { readFixtures } from './fixtures.ts';
import {
  continues,
  type Expected,
  expectedOfGet,
  expectedOfList,
  limits,
  type ListCell,
  matches,
  type Version,
  versions,
} from '../../http/reads/list-oracle.ts';
import {
  type ApiObject,
  itemOf,
  listOf,
  runAll,
  type Scope,
  scopes,
  selectors,
  statusOf,
  World,
} from '../../http/reads/world.ts';

/** Requests under way at a time: those that wait for a version that does not come take three seconds each. */
const atATime = 150;

type SelectorCase = (typeof selectors)[number];

interface ListCase {
  readonly cell: ListCell;
  readonly scope: Scope;
  readonly selector: SelectorCase;
}

/** Names of objects: one as it was, one that changed, one that is gone, one that is new, one that never was. */
const names = ['a', 'b', 'd', 'f', 'none'] as const;

function nameOf({ version, match, limit, continue: token }: ListCell): string {
  return `resourceVersion ${version}, match ${match}, limit ${limit || 'unset'}, continue ${token}`;
}

/** Selectors make no difference to a refusal. */
function selectorsOf(cell: ListCell): readonly SelectorCase[] {
  return expectedOfList(cell).kind === 'refused' ? selectors.slice(0, 1) : selectors;
}

const cells: readonly ListCell[] = versions.flatMap((version) =>
  matches.flatMap((match) =>
    limits.flatMap((limit) => continues.map((token): ListCell => ({ version, match, limit, continue: token }))),
  ),
);

for (const { name, options } of readFixtures) {
  describe(`the options of reads (${name})`, () => {
    let server: TestServer;
    let world: World;
    let past: number;
    let current: number;
    const tokens = new Map<Scope, string>();
    const lists = new Map<ListCell, { readonly case: ListCase; readonly response: HttpResponse }[]>();
    const gets = new Map<Version, Map<string, HttpResponse>>();

    before(async () => {
      server = await startServer(options);
      world = new World(server);
      await world.createNamespaces();
      for (const key of ['red/a', 'blue/a', 'red/b', 'red/d', 'blue/c', 'red/e']) {
        await world.create(key, key.endsWith('b') ? 'db' : 'web');
      }
      past = world.revision;
      for (const scope of scopes) {
        const first = listOf(await request(server, 'GET', `${scope.path}?limit=1&resourceVersion=${past}`));
        tokens.set(scope, first.metadata.continue ?? '');
      }
      await world.relabel('red/b', 'web');
      await world.remove('red/d');
      await world.create('red/f', 'web');
      current = await world.create('blue/b', 'db');
      await askAll();
    });
    after(() => server.stop());

    /** All requests of the matrix, those that have to wait first. */
    async function askAll(): Promise<void> {
      const cases = cells.flatMap((cell) =>
        scopes.flatMap((scope) => selectorsOf(cell).map((selector): ListCase => ({ cell, scope, selector }))),
      );
      const waiting = cases.toSorted(
        (a, b) => Number(b.cell.version === 'future') - Number(a.cell.version === 'future'),
      );
      const asked = waiting.map((each) => async () => {
        const response = await request(server, 'GET', pathOf(each));
        lists.set(each.cell, [...(lists.get(each.cell) ?? []), { case: each, response }]);
      });
      const got = versions.flatMap((version) =>
        names.map((object) => async () => {
          const query = parameter('resourceVersion', textOf(version));
          const response = await request(server, 'GET', `/api/v1/namespaces/red/configmaps/${object}?${query}`);
          gets.set(version, (gets.get(version) ?? new Map()).set(object, response));
        }),
      );
      await runAll([...asked, ...got], atATime);
    }

    function pathOf({ cell, scope, selector }: ListCase): string {
      const token = { none: '', token: tokens.get(scope) ?? '', junk: 'no-token' }[cell.continue];
      const query = [
        parameter('resourceVersion', textOf(cell.version)),
        parameter('resourceVersionMatch', cell.match === 'unset' ? '' : cell.match),
        parameter('limit', cell.limit),
        parameter('continue', token),
      ];
      return `${scope.path}?${query.filter(Boolean).join('&')}${selector.query}`;
    }

    function textOf(version: Version): string {
      const texts: Record<Version, string> = {
        unset: '',
        zero: '0',
        past: String(past),
        current: String(current),
        future: String(current + 1_000_000),
        huge: '9999999999999999999',
        malformed: 'abc',
      };
      return texts[version];
    }

    const revisionOf = (which: 'past' | 'current'): number => (which === 'past' ? past : current);

    function checkRevision(revision: number, expected: Expected & { kind: 'list' }): void {
      if (expected.exactly) assert.equal(revision, revisionOf(expected.exactly));
      if (expected.atLeast) assert.ok(revision >= revisionOf(expected.atLeast), `${revision} is older than asked`);
      assert.ok(revision <= current);
    }

    function checkList(
      { cell, scope, selector }: ListCase,
      response: HttpResponse,
      expected: Expected & { kind: 'list' },
    ): void {
      const { metadata, items, kind } = listOf(response);
      assert.equal(kind, 'ConfigMapList');
      const revision = Number(metadata.resourceVersion);
      checkRevision(revision, expected);
      const all = [...world.stateAt(revision).values()].filter(scope.contains);
      const rest = (cell.continue === 'token' ? all.slice(1) : all).filter(selector.selects);
      const page = cell.limit === '' ? rest : rest.slice(0, Number(cell.limit));
      assert.deepEqual(items, page.map(itemOf));
      const more = rest.length - page.length;
      assert.equal(metadata.continue !== undefined, more > 0, 'a token where objects remain, and only there');
      const remaining = selector.query === '' && more > 0 ? more : undefined;
      assert.equal(metadata.remainingItemCount, remaining);
    }

    for (const cell of cells) {
      const expected = expectedOfList(cell);
      const what = expected.kind === 'list' ? 'a list' : `${expected.status} ${expected.reason}`;
      it(`list with ${nameOf(cell)}: ${what}`, () => {
        const responses = lists.get(cell) ?? [];
        assert.equal(responses.length, scopes.length * selectorsOf(cell).length);
        for (const { case: each, response } of responses) {
          const where = `${each.scope.name}, ${each.selector.name}: ${response.text.slice(0, 300)}`;
          explained(where, () =>
            expected.kind === 'list' ? checkList(each, response, expected) : checkRefusal(response, expected),
          );
        }
      });
    }

    for (const version of versions) {
      const expected = expectedOfGet(version);
      it(`get with resourceVersion ${version}: ${expected.kind === 'list' ? 'an object' : expected.status}`, () => {
        for (const object of names) {
          const response = gets.get(version)?.get(object);
          assert.ok(response);
          if (expected.kind === 'refused') checkRefusal(response, expected);
          else checkObject(response, world.stateAt(current).get(`red/${object}`), object);
        }
      });
    }
  });
}

function checkObject(response: HttpResponse, wanted: ApiObject | undefined, name: string): void {
  if (wanted) {
    assert.equal(response.status, 200);
    assert.deepEqual(response.body, wanted);
    return;
  }
  assert.equal(response.status, 404);
  const { reason, message } = statusOf(response);
  assert.deepEqual([reason, message], ['NotFound', `configmaps "${name}" not found`]);
}

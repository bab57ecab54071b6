import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { until } from '../../http/until.ts';
import { checkRefusal, explained, parameter } from '../../http/reads/check-refusal.ts';
import { readFixtures } from './fixtures.ts';
import { matches } from '../../http/reads/list-oracle.ts';
import { openWatch, type OpenWatch } from '../../http/reads/open-watch.ts';
import {
  expectedOfWatch,
  type ExpectedWatch,
  initialEvents,
  type WatchCell,
  watchVersions,
} from '../../http/reads/watch-oracle.ts';
import {
  type ApiObject,
  type ModelEvent,
  runAll,
  type Scope,
  scopes,
  selectors,
  World,
} from '../../http/reads/world.ts';

/** A refusal for a version that does not come takes three seconds, so all of these wait together. */
const atATime = 150;
/**
 * Streams of a connection of HTTP/2, which takes fewer handshakes than a connection for each watch. Each has an agent of
 * its own and no more watches than that: a pool of undici may give a full connection one more, which waits for ever, and
 * opens as many connections as there are requests before the first one is ready.
 */
const streams = 100;
/** How long nothing more may come when everything expected has. */
const quietMs = 300;

interface WatchCase {
  readonly cell: WatchCell;
  readonly scope: Scope;
  readonly selector: (typeof selectors)[number];
  readonly bookmarks: boolean;
}

const cells: readonly WatchCell[] = watchVersions.flatMap((version) =>
  matches.flatMap((match) =>
    initialEvents.flatMap((sendInitialEvents) =>
      [false, true].map((deprecated): WatchCell => ({ version, match, sendInitialEvents, deprecated })),
    ),
  ),
);

function isRefused(cell: WatchCell): boolean {
  return expectedOfWatch(cell).kind === 'refused';
}

/** Bookmarks and selectors make no difference to a refusal. */
const bookmarksOf = (cell: WatchCell): boolean[] => (isRefused(cell) ? [false] : [false, true]);
const selectorsOf = (cell: WatchCell) => (isRefused(cell) ? selectors.slice(0, 1) : selectors);

/** Every cell with scopes and selectors, each pair of them by the deprecated path or by the present one. */
const cases: readonly WatchCase[] = cells.flatMap((cell) =>
  scopes.flatMap((scope, i) =>
    selectorsOf(cell)
      .filter((_, j) => ((i + j) % 2 === 1) === cell.deprecated)
      .flatMap((selector) => bookmarksOf(cell).map((bookmarks) => ({ cell, scope, selector, bookmarks }))),
  ),
);

function nameOf({ version, match, sendInitialEvents, deprecated }: WatchCell): string {
  return `${deprecated ? 'deprecated path, ' : ''}resourceVersion ${version}, match ${match}, sendInitialEvents ${sendInitialEvents}`;
}

function whatIs(expected: ReturnType<typeof expectedOfWatch>): string {
  if (expected.kind === 'refused') return `${expected.status} ${expected.reason}`;
  return `${expected.state ? 'the state, then ' : ''}the changes after ${expected.after}`;
}

for (const { name, options } of readFixtures) {
  describe(`the options of watches (${name})`, () => {
    let server: TestServer;
    let agents: readonly Agent[];
    let world: World;
    let past: number;
    let current: number;
    const watches = new Map<WatchCase, OpenWatch>();
    let wanted: ReadonlyMap<WatchCase, readonly (ModelEvent | undefined)[]>;

    before(async () => {
      server = await startServer(options);
      const { ca } = server;
      const oneConnection = { connect: { ca }, allowH2: true, connections: 1, pipelining: streams, bodyTimeout: 0 };
      agents = Array.from({ length: Math.ceil(cases.length / streams) }, () => new Agent(oneConnection));
      world = new World(server);
      await world.createNamespaces();
      for (const key of ['red/a', 'blue/a', 'red/b', 'red/d']) await world.create(key, 'web');
      past = world.revision;
      await world.relabel('red/b', 'db');
      await world.remove('red/d');
      current = await world.create('blue/b', 'db');
      const opened = cases.map((each, index) => async () => {
        const agent = agents[Math.floor(index / streams)];
        assert.ok(agent);
        watches.set(each, await openWatch({ ...server, agent }, pathOf(each)));
      });
      await runAll(opened, atATime);
      await liveChanges();
      wanted = new Map(cases.map((each) => [each, expectedEvents(each)]));
      await until('every watch to have told everything', () => cases.every(isComplete)).catch(() => undefined);
      await sleep(quietMs);
      for (const watch of watches.values()) watch.stop();
    });
    after(async () => {
      await Promise.all(agents.map((agent) => agent.destroy()));
      await server.stop();
    });

    /** Objects come, change, begin and cease to match, and go. */
    async function liveChanges(): Promise<void> {
      await world.relabel('red/b', 'web');
      await world.relabel('red/a', 'db');
      await world.create('red/f', 'web');
      await world.relabel('red/f', 'web2');
      await world.relabel('red/b', 'web3');
      await world.remove('blue/a');
      await world.remove('red/a');
      await world.create('blue/a', 'web');
    }

    function pathOf({ cell, scope, selector, bookmarks }: WatchCase): string {
      const { deprecated } = cell;
      const query = [
        deprecated ? '' : 'watch=1',
        parameter('resourceVersion', textOf(cell)),
        parameter('resourceVersionMatch', cell.match === 'unset' ? '' : cell.match),
        parameter('sendInitialEvents', cell.sendInitialEvents === 'unset' ? '' : cell.sendInitialEvents),
        parameter('allowWatchBookmarks', bookmarks ? 'true' : ''),
      ];
      return `${deprecated ? scope.deprecatedPath : scope.path}?${query.filter(Boolean).join('&')}${selector.query}`;
    }

    function textOf({ version }: WatchCell): string {
      const numbers: Partial<Record<WatchCell['version'], string>> = {
        zero: '0',
        past: String(past),
        current: String(current),
        near: String(current + 2),
        far: String(current + 1_000_000),
        huge: '9999999999999999999',
        malformed: 'abc',
      };
      return numbers[version] ?? '';
    }

    function startOf({ after }: ExpectedWatch): number {
      const starts = { present: current, past, current, near: current + 2, far: Infinity, huge: Infinity };
      return starts[after];
    }

    /** The events of a watch, the bookmark behind the initial state as undefined. */
    function expectedEvents({ cell, scope, selector, bookmarks }: WatchCase): readonly (ModelEvent | undefined)[] {
      const expected = expectedOfWatch(cell);
      if (expected.kind === 'refused') return [];
      const selects = (object: ApiObject): boolean => scope.contains(object) && selector.selects(object);
      const events: (ModelEvent | undefined)[] = [];
      if (expected.state) {
        const state = [...world.stateAt(current).values()].filter(selects);
        events.push(...state.map((object) => ({ type: 'ADDED', object })));
        if (bookmarks && cell.sendInitialEvents === 'true') events.push(undefined);
      }
      return [...events, ...world.eventsAfter(startOf(expected), selects)];
    }

    function isComplete(each: WatchCase): boolean {
      return receivedEvents(each).length >= (wanted.get(each)?.length ?? 0);
    }

    /** The events of a watch, without the bookmarks that come from time to time. */
    function receivedEvents(each: WatchCase): OpenWatch['events'] {
      const events = watches.get(each)?.events ?? [];
      if (!each.bookmarks) return events;
      return events.filter(({ type, object }) => type !== 'BOOKMARK' || 'annotations' in object.metadata);
    }

    function checkWatch(each: WatchCase, watch: OpenWatch): void {
      assert.equal(watch.status, 200, watch.text);
      assert.equal(watch.headers['content-type'], 'application/json');
      const expected = wanted.get(each) ?? [];
      const received = receivedEvents(each).map((event, index) => {
        if (event.type !== 'BOOKMARK' || expected[index] !== undefined) return event;
        assert.deepEqual(event.object, endOfState(current));
        return undefined;
      });
      assert.deepEqual(received, expected);
    }

    for (const cell of cells) {
      const expected = expectedOfWatch(cell);
      it(`watch with ${nameOf(cell)}: ${whatIs(expected)}`, () => {
        for (const each of cases.filter((candidate) => candidate.cell === cell)) {
          const watch = watches.get(each);
          assert.ok(watch);
          explained(pathOf(each), () => {
            if (expected.kind === 'refused') checkRefusal(watch, expected);
            else checkWatch(each, watch);
          });
        }
      });
    }
  });
}

/** The bookmark behind the initial state: its kind, its version, its annotation and nothing else. */
function endOfState(revision: number): object {
  return {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      resourceVersion: String(revision),
      creationTimestamp: null,
      annotations: { 'cl.io/initial-events-end': 'true' },
    },
  };
}

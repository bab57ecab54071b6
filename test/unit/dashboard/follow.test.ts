import assert from 'node:assert/strict';
import { StatusError } from '../../../src/client/error-of-response.ts';
import { type FeedPorts, follow } from '../../../src/dashboard/server/follow.ts';
import { until } from '../../http/until.ts';

interface Body {
  readonly metadata: { readonly resourceVersion: string; readonly name?: string };
}

const refusal = (code: number, reason: string): Error => new StatusError({ code, reason, message: reason });

const eventOf = (type: string, revision: number, name = ''): string =>
  `${JSON.stringify({ type, object: { metadata: { resourceVersion: String(revision), name } } })}\n`;

/** A server that answers each watch with the next script, and what the feed has done. */
function startWorld(script: readonly (readonly string[] | Error)[], options: { readonly revision?: number } = {}) {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  const world = {
    isHidden: false,
    reads: 0,
    revision: options.revision ?? 10,
    watches: [] as string[],
    taken: [] as string[],
    states: [] as string[],
    read: async (): Promise<string> => String(world.revision),
    stop,
    show(isHidden: boolean): void {
      world.isHidden = isHidden;
      for (const each of listeners) each();
    },
    ended: Promise.resolve(),
  };
  const ports: FeedPorts = {
    async send(path, { signal }) {
      if (!path.includes('watch=true')) {
        return new Response(JSON.stringify({ metadata: { resourceVersion: String(world.revision) } }));
      }
      world.watches.push(new URLSearchParams(path.replace(/^.*\?/, '')).get('resourceVersion') ?? '');
      const answer = script[world.watches.length - 1];
      if (answer instanceof Error) throw answer;
      return new Response(
        new ReadableStream({
          start(controller) {
            for (const line of answer ?? []) controller.enqueue(new TextEncoder().encode(line));
            if (answer) return controller.close();
            signal.addEventListener('abort', () => controller.error(signal.reason));
          },
        }),
      );
    },
    isHidden: () => world.isHidden,
    onVisibility(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // The machine comes back at once, so that no pause is waited for.
    onOnline(listener) {
      const timer = setTimeout(listener, 1);
      return () => clearTimeout(timer);
    },
  };
  const feed = () =>
    follow<Body>(
      {
        path: '/api/v1/maps',
        query: {},
        accept: 'application/json',
        canWatch: true,
        read: async () => {
          world.reads += 1;
          return await world.read();
        },
        take: ({ type, object }) => world.taken.push(`${type} ${object.metadata.name}`),
        report: (state) => {
          if (world.states.at(-1) !== state) world.states.push(state);
        },
      },
      ports,
      stop.signal,
    );
  // The test may still change the world.
  world.ended = Promise.resolve().then(feed);
  return world;
}

const seen = (what: string, condition: () => boolean): Promise<void> => until(what, condition, 10_000);

describe('a feed', () => {
  it('goes on at the revision of the last event, bookmarks included', async () => {
    const world = startWorld([[eventOf('ADDED', 12, 'a'), eventOf('BOOKMARK', 20)], [eventOf('DELETED', 21, 'a')]]);
    world.read = async () => '10';
    world.revision = 30;
    await seen('the third watch', () => world.watches.length === 3);
    world.stop.abort();
    await world.ended;
    assert.deepEqual(world.watches, ['10', '20', '21']);
    assert.deepEqual(world.taken, ['ADDED a', 'DELETED a']);
    assert.deepEqual([world.reads, world.states], [1, ['live']]);
  });

  it('reads again what was not read to its end, instead of watching the half of it', async () => {
    const world = startWorld([]);
    let tries = 0;
    world.read = async () => {
      tries += 1;
      if (tries < 3) throw new TypeError('Failed to fetch');
      return '30';
    };
    await seen('the watch', () => world.watches.length === 1);
    world.stop.abort();
    await world.ended;
    assert.deepEqual([world.reads, world.watches, world.states], [3, ['30'], ['lost', 'live']]);
  });

  it('reads again after a revision that is gone, by its status or by an event', async () => {
    const gone = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`;
    const world = startWorld([refusal(410, 'Expired'), [gone]]);
    await seen('three reads', () => world.reads === 3 && world.watches.length === 3);
    world.stop.abort();
    await world.ended;
    assert.ok(!world.states.includes('lost'));
  });

  it('reads again from a server that has another store, at an earlier revision', async () => {
    const world = startWorld([[eventOf('ADDED', 500, 'a')]], { revision: 400 });
    await seen('another watch', () => world.watches.length === 2);
    world.stop.abort();
    await world.ended;
    assert.deepEqual([world.reads, world.watches, world.taken], [2, ['400', '400'], ['ADDED a']]);
  });

  it('is read now and then if it may be read and not watched, and ends if it may not be read', async () => {
    const world = startWorld([refusal(403, 'Forbidden')]);
    await seen('still', () => world.states.at(-1) === 'still');
    world.read = () => Promise.reject(refusal(403, 'Forbidden'));
    await world.ended;
    assert.deepEqual(world.states, ['still', 'refused']);
    assert.equal(world.watches.length, 1);
  });

  it('is read now and then if what it reads has no revision', async () => {
    const world = startWorld([]);
    world.read = async () => '';
    await seen('two reads', () => world.reads > 1);
    world.stop.abort();
    await world.ended;
    assert.deepEqual([world.watches, world.states], [[], ['still']]);
  });

  it('tries again after errors of the server, and ends with the credential', async () => {
    const world = startWorld([
      refusal(503, 'ServiceUnavailable'),
      refusal(429, 'TooManyRequests'),
      refusal(401, 'Unauthorized'),
    ]);
    await world.ended;
    assert.deepEqual([world.watches.length, world.states], [3, ['lost', 'refused']]);
  });
});

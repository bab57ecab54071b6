import { readLines } from '../../client/read-lines.ts';
import { errorOfResponse, hasReason, StatusError } from '../../client/error-of-response.ts';
import { parseExactJson } from '../page/exact-json.ts';
import { chunksOf } from './chunks-of.ts';
import { withQuery } from './paths.ts';

/**
 * The connection of a feed. `still`: the server or the rights of the user allow no watch, so that
 * the feed is read again now and then.
 */
export type FeedState = 'loading' | 'live' | 'still' | 'lost' | 'refused';

/** An event of a watch, with the object in the form that the feed asked for. */
export interface FeedEvent<Body> {
  readonly type: string;
  readonly object: Body;
  /** The bytes of its line. */
  readonly bytes: number;
}

/** Objects that are read, and then followed. */
interface Followed<Body> {
  /** The path of the collection, and the parameters that select the objects. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly canWatch: boolean;
  /** Reads the present state; returns its revision, '' if it has none. */
  readonly read: (signal: AbortSignal) => Promise<string>;
  readonly take: (event: FeedEvent<Body>) => void;
  readonly report: (state: FeedState, error: string) => void;
}

/** The server and the page, as far as feeds use them. */
export interface FeedPorts {
  /** Sends a GET. Rejects with StatusError for a refusal. */
  readonly send: (
    path: string,
    options: { readonly accept: string; readonly signal: AbortSignal },
  ) => Promise<Pick<Response, 'body' | 'json'>>;
  readonly isHidden: () => boolean;
  /** Calls a listener when the page is hidden or shown, until the returned function is called. */
  readonly onVisibility: (listener: () => void) => () => void;
  /** Registers a listener that is called when the machine goes online. */
  readonly onOnline: (listener: () => void) => () => void;
}

/** The first and the longest pause before a lost connection is tried again. */
const pauseMs = { first: 500, longest: 10_000 };

/** The pause between two reads of a feed that is not watched. */
const stillMs = 15_000;

/**
 * The longest silence of a watch. The server sends a bookmark each minute, so that a longer one
 * means a connection whose end was not noticed.
 */
const silenceMs = 150_000;

/** How long a page may be hidden before its watches end: browsers have few connections. */
const hiddenMs = 10_000;

interface Revisioned {
  readonly metadata?: { readonly resourceVersion?: string };
}

/**
 * Follows objects until the signal aborts, or the server refuses to read them. A lost connection is
 * resumed at the revision where it ended; the objects are read again if the server no longer has
 * that revision, or has another store than before.
 */
export async function follow<Body extends Revisioned>(
  feed: Followed<Body>,
  ports: FeedPorts,
  signal: AbortSignal,
): Promise<void> {
  let pause = pauseMs.first;
  let revision = '';
  let { canWatch } = feed;
  while (!signal.aborted) {
    const attempt = attemptWithin(signal, ports);
    try {
      if (revision !== '' && (await isBefore(feed, revision, ports, attempt.signal))) revision = '';
      if (revision === '') revision = await feed.read(attempt.signal);
      // Collections that are computed for each request have no revision.
      if (canWatch && revision !== '') {
        const onStart = (): void => {
          pause = pauseMs.first;
          feed.report('live', '');
        };
        for await (const event of watch<Body>({ ...feed, revision, onStart }, ports, attempt)) {
          revision = event.object.metadata?.resourceVersion ?? revision;
          if (event.type !== 'BOOKMARK') feed.take(event);
        }
      } else {
        feed.report('still', '');
        revision = '';
        pause = stillMs;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) revision = '';
      else if (isFinal(error)) {
        if (revision === '' || error.code === 401) return feed.report('refused', error.message);
        // Reading is allowed, watching is not.
        canWatch = false;
        revision = '';
        continue;
      } else if (!attempt.signal.aborted) {
        feed.report('lost', error instanceof Error ? error.message : String(error));
      }
    } finally {
      attempt.end();
    }
    await untilVisible(signal, ports);
    if (attempt.isResumed()) continue;
    await waitFor(pause, signal, ports);
    pause = Math.min(pause * 2, pauseMs.longest);
  }
}

/** One connection. It ends with the feed, after a long silence, and when the page is hidden. */
interface Attempt {
  readonly signal: AbortSignal;
  /** Notes that the connection is alive. */
  readonly heard: () => void;
  /** Reports whether the page, and not the server, ended the connection. */
  readonly isResumed: () => boolean;
  readonly end: () => void;
}

function attemptWithin(outer: AbortSignal, { isHidden, onVisibility }: FeedPorts): Attempt {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  let silence: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(abort, silenceMs);
  };
  const seen = (): void => {
    clearTimeout(hidden);
    if (isHidden()) hidden = setTimeout(abort, hiddenMs);
  };
  heard();
  seen();
  outer.addEventListener('abort', abort, { once: true });
  const release = onVisibility(seen);
  return {
    signal: stop.signal,
    heard,
    isResumed: () => stop.signal.aborted,
    end: () => {
      clearTimeout(silence);
      clearTimeout(hidden);
      outer.removeEventListener('abort', abort);
      release();
    },
  };
}

/** A watch from a revision on. */
interface WatchStart extends Pick<Followed<never>, 'path' | 'query' | 'accept'> {
  readonly revision: string;
  readonly onStart: () => void;
}

async function* watch<Body extends Revisioned>(
  { path, query, accept, revision, onStart }: WatchStart,
  { send }: FeedPorts,
  { signal, heard }: Attempt,
): AsyncGenerator<FeedEvent<Body>> {
  const parameters = { ...query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: revision };
  const { body } = await send(withQuery(path, parameters), { accept, signal });
  onStart();
  for await (const line of readLines(chunksOf(body))) {
    heard();
    // A line that is not JSON is an error of the connection, which is then resumed.
    const { type, object } = parseExactJson(line.toString()) as unknown as { type: string; object: Body };
    if (type === 'ERROR') throw errorOfResponse(codeOf(object), JSON.stringify(object));
    yield { type, object, bytes: line.length };
  }
}

function codeOf(status: object): number {
  return 'code' in status && typeof status.code === 'number' ? status.code : 500;
}

/** Reports whether the store of the server is at an earlier revision: it is another store. */
async function isBefore(
  { path, query, accept }: Pick<Followed<never>, 'path' | 'query' | 'accept'>,
  revision: string,
  { send }: FeedPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const response = await send(withQuery(path, { ...query, limit: 1 }), { accept, signal });
  const { metadata } = (await response.json()) as Revisioned;
  return Number(metadata?.resourceVersion) < Number(revision);
}

/** A revision that the server no longer has. */
function isGone(error: unknown): boolean {
  return (error instanceof StatusError && error.code === 410) || hasReason(error, 'Expired', 'Gone');
}

/** A refusal that another try does not change. */
function isFinal(error: unknown): error is StatusError {
  return error instanceof StatusError && [400, 401, 403, 404, 405].includes(error.code);
}

function untilVisible(signal: AbortSignal, { isHidden, onVisibility }: FeedPorts): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      if (isHidden() && !signal.aborted) return;
      release();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const release = onVisibility(end);
    signal.addEventListener('abort', end);
    end();
  });
}

function waitFor(ms: number, signal: AbortSignal, { onOnline }: FeedPorts): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      release();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const release = onOnline(end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

import { readLines } from '../../client/read-lines.ts';
import { errorOfAnswer, hasReason, StatusError } from '../../client/status-error.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { chunksOf } from './chunks-of.ts';
import { send, sendJson } from './send.ts';
import { withQuery } from './paths.ts';

/** A column of a Table of the server. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly priority: number;
}

/** A row of a Table of the server. */
export interface TableRow {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly created: string;
  readonly cells: readonly JsonValue[];
  /** The text that filters look in, in lower case. */
  readonly text: string;
}

/** The connection of a feed. */
export type FeedState = 'loading' | 'live' | 'lost' | 'refused';

interface TableObject {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly Column[] | null;
  readonly rows?: readonly {
    readonly cells?: readonly JsonValue[];
    readonly object?: { readonly metadata?: Readonly<Record<string, JsonValue>> };
  }[];
}

interface TableEvent {
  readonly type: string;
  readonly object?: TableObject & { readonly code?: number; readonly reason?: string; readonly message?: string };
}

/** Rows of one response, and the most rows that a feed keeps. */
const pageRows = 500;
const mostRows = 20_000;

/** The first and the longest pause before a lost connection is tried again. */
const pauseMs = { first: 500, longest: 10_000 };

/**
 * The rows of a collection, followed by watch. A lost connection is resumed where it ended; a
 * revision that the server no longer has leads to a new list. `changed` is called at most once for
 * each frame of the screen.
 */
export class TableFeed {
  readonly rows = new Map<string, TableRow>();
  columns: readonly Column[] = [];
  state: FeedState = 'loading';
  error = '';
  /** True if the collection has more rows than a feed keeps. */
  cut = false;
  readonly #path: string;
  readonly #accept: string;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  #revision = '';
  #scheduled = false;

  constructor(path: string, apiDomain: string, changed: () => void) {
    this.#path = path;
    this.#accept = `application/json;as=Table;g=meta.${apiDomain};v=v1`;
    this.#changed = changed;
    void this.#run();
  }

  /** Ends the watch. */
  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let pause = pauseMs.first;
    while (!signal.aborted) {
      try {
        if (this.#revision === '') await this.#list();
        await this.#watch(() => {
          pause = pauseMs.first;
          this.#report('live', '');
        });
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) this.#revision = '';
        else if (isFinal(error)) return this.#report('refused', error.message);
        else this.#report('lost', error instanceof Error ? error.message : String(error));
      }
      if (signal.aborted) return;
      await waitFor(pause, signal);
      pause = Math.min(pause * 2, pauseMs.longest);
    }
  }

  async #list(): Promise<void> {
    const { signal } = this.#stop;
    const seen = new Map<string, TableRow>();
    let from = '';
    do {
      const path = withQuery(this.#path, { limit: pageRows, continue: from });
      const table = await sendJson<TableObject>(path, { accept: this.#accept, signal });
      if (table.columnDefinitions) this.columns = table.columnDefinitions;
      for (const row of rowsOf(table)) seen.set(row.uid, row);
      this.#revision = table.metadata?.resourceVersion ?? '';
      from = table.metadata?.continue ?? '';
    } while (from !== '' && seen.size < mostRows);
    this.cut = from !== '';
    this.rows.clear();
    for (const [uid, row] of seen) this.rows.set(uid, row);
  }

  async #watch(started: () => void): Promise<void> {
    const parameters = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: this.#revision };
    const response = await send(withQuery(this.#path, parameters), {
      accept: this.#accept,
      signal: this.#stop.signal,
    });
    started();
    for await (const line of readLines(chunksOf(response.body))) {
      // A line that is not JSON is an error of the connection, which is then resumed.
      this.#take(JSON.parse(line.toString()) as TableEvent);
    }
  }

  #take({ type, object = {} }: TableEvent): void {
    if (type === 'ERROR') throw errorOfAnswer(object.code ?? 500, JSON.stringify(object));
    this.#revision = object.metadata?.resourceVersion ?? this.#revision;
    if (type === 'BOOKMARK') return;
    for (const row of rowsOf(object)) {
      if (type === 'DELETED') this.rows.delete(row.uid);
      else if (this.rows.has(row.uid) || this.rows.size < mostRows) this.rows.set(row.uid, row);
      else this.cut = true;
    }
    this.#report('live', '');
  }

  #report(state: FeedState, error: string): void {
    this.state = state;
    this.error = error;
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (!this.#stop.signal.aborted) this.#changed();
    });
  }
}

function rowsOf({ rows }: TableObject): TableRow[] {
  return (rows ?? []).map(({ cells = [], object }) => {
    const { uid, name, namespace, creationTimestamp } = object?.metadata ?? {};
    const [at, of] = [textOf(namespace), textOf(name)];
    return {
      uid: textOf(uid) || `${at}/${of}`,
      name: of,
      namespace: at,
      created: textOf(creationTimestamp),
      cells,
      text: [at, ...cells.map(textOf)].join('\n').toLowerCase(),
    };
  });
}

/** The text of a cell: strings as they are, other values as JSON, nothing for null. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/** A revision that the server no longer has. */
function isGone(error: unknown): boolean {
  return (error instanceof StatusError && error.code === 410) || hasReason(error, 'Expired', 'Gone');
}

/** A refusal that another try does not change. */
function isFinal(error: unknown): error is StatusError {
  return error instanceof StatusError && [401, 403, 404, 405].includes(error.code);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      globalThis.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    globalThis.addEventListener('online', end, { once: true });
    signal.addEventListener('abort', end, { once: true });
  });
}

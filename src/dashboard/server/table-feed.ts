import { follow, type FeedEvent, type FeedState } from './follow.ts';
import { pagePorts } from './page-ports.ts';
import { withQuery } from './paths.ts';
import { ResponseTooLarge, sendJson } from './send.ts';
import { readRow, TableRows } from './table-rows.ts';

/** A column of a Table of the server. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly priority: number;
}

interface TableObject {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly Column[] | null;
  readonly rows?: readonly Parameters<typeof readRow>[0][];
}

/** Rows of one response. A response that is too large is asked for in smaller parts. */
const pageRows = 500;
const smallerBy = 8;

/** The most rows of all feeds of a table, and the most bytes of their texts. */
const most = { rows: 20_000, bytes: 64 * 1024 * 1024 };

/** Tables with more rows are drawn at most this often. */
const largeRows = 2000;
const largePauseMs = 250;

interface TableFeedOptions {
  readonly path: string;
  readonly apiDomain: string;
  readonly canWatch: boolean;
  /** The number of feeds that share the limits. */
  readonly share: number;
  /** Called at most once for each frame of the screen. */
  readonly changed: () => void;
}

/** The rows of a collection, followed by watch. */
export class TableFeed {
  rows: TableRows;
  columns: readonly Column[] = [];
  state: FeedState = 'loading';
  error = '';
  readonly #options: TableFeedOptions;
  readonly #accept: string;
  readonly #stop = new AbortController();
  #isScheduled = false;

  constructor(options: TableFeedOptions) {
    this.#options = options;
    this.#accept = `application/json;as=Table;g=meta.${options.apiDomain};v=v1`;
    this.rows = this.#newRows(0);
    const { path, canWatch } = options;
    void follow<TableObject>(
      {
        path,
        query: {},
        accept: this.#accept,
        canWatch,
        read: (signal) => this.#list(signal),
        take: (event) => this.#take(event),
        report: (state, error) => this.#report(state, error),
      },
      pagePorts,
      this.#stop.signal,
    );
  }

  /** Ends the watch. */
  close(): void {
    this.#stop.abort();
  }

  #newRows(version: number): TableRows {
    const { share } = this.#options;
    const rows = new TableRows({ rows: Math.ceil(most.rows / share), bytes: Math.ceil(most.bytes / share) });
    rows.version = version;
    return rows;
  }

  async #list(signal: AbortSignal): Promise<string> {
    const rows = this.#newRows(this.rows.version + 1);
    let [from, limit, revision] = ['', pageRows, ''];
    for (let isLast = false; !isLast && !rows.isFull; ) {
      const table = await this.#page(from, limit, signal);
      if (table === undefined) {
        limit = Math.ceil(limit / smallerBy);
        continue;
      }
      if (table.columnDefinitions) this.columns = table.columnDefinitions;
      for (const row of table.rows ?? []) rows.set(readRow(row));
      revision = table.metadata?.resourceVersion ?? '';
      from = table.metadata?.continue ?? '';
      isLast = from === '';
      // The first rows are shown before the last ones are there.
      if (this.rows.size === 0 || this.state === 'loading') this.#show(rows);
    }
    rows.isCut ||= from !== '';
    this.#show(rows);
    return revision;
  }

  #show(rows: TableRows): void {
    this.rows = rows;
    this.#report(this.state, this.error);
  }

  /** A page of the list; undefined if its response is too large. */
  async #page(from: string, limit: number, signal: AbortSignal): Promise<TableObject | undefined> {
    try {
      return await sendJson<TableObject>(withQuery(this.#options.path, { limit, continue: from }), {
        accept: this.#accept,
        signal,
      });
    } catch (error) {
      if (limit > 1 && error instanceof ResponseTooLarge) return undefined;
      throw error;
    }
  }

  #take({ type, object }: FeedEvent<TableObject>): void {
    for (const sent of object.rows ?? []) {
      const row = readRow(sent);
      if (type === 'DELETED') this.rows.delete(row.uid);
      else this.rows.set(row);
    }
    this.#report(this.state, this.error);
  }

  #report(state: FeedState, error: string): void {
    this.state = state;
    this.error = error;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const draw = (): void => {
      this.#isScheduled = false;
      if (!this.#stop.signal.aborted) this.#options.changed();
    };
    if (this.rows.size > largeRows) setTimeout(draw, largePauseMs);
    else requestAnimationFrame(draw);
  }
}

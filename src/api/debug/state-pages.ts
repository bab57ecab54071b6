import { parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import { sendBytes } from '../../http-protocol/responses/send-bytes.ts';
import type { OpenRequests } from '../../http-protocol/requests/open-requests.ts';
import { formatTime } from '../../meta/time.ts';
import { methodNotAllowed } from '../../status/status-error.ts';
import type { RequestStatistics } from '../observation/request-statistics.ts';
import type { Exchange } from '../request/exchange.ts';
import { watchesByClient } from '../observation/watches-by-client.ts';

/** A row of a page: values by column name. */
export type StateRow = Readonly<Record<string, string | number>>;

/** The state of a server, apart from its requests. */
export interface ServerState {
  /** The largest objects in the caches. */
  largestObjects(count: number): Promise<readonly StateRow[]>;
  caches(): readonly StateRow[];
  store(): Promise<readonly StateRow[]>;
  leases(): Promise<readonly StateRow[]>;
}

/** The data sources of the pages. */
interface StateSources {
  readonly state: ServerState;
  readonly statistics: RequestStatistics;
  readonly requests: OpenRequests;
}

/** A page about the state of the server. */
interface StatePage {
  readonly title: string;
  readonly rows: () => readonly StateRow[] | Promise<readonly StateRow[]>;
}

/** The most rows of a page. */
const mostRows = 50;

/**
 * The pages about the state of a server, for troubleshooting, as text or JSON by `Accept`. Access
 * needs the right to get the path. A page is made on request and shows names and sizes, never
 * contents.
 */
export function statePages(
  sources: StateSources,
): readonly (readonly [path: string, handler: (exchange: Exchange) => Promise<void>])[] {
  const { state, statistics, requests } = sources;
  const pages: Readonly<Record<string, StatePage>> = {
    '/debug/requests': {
      title: 'The slowest requests of the last half an hour to hour',
      rows: () =>
        statistics.slowest().map(({ endedMs, durationMs, ...rest }) => ({
          ended: formatTime(endedMs),
          ms: Math.round(durationMs),
          ...rest,
        })),
    },
    '/debug/users': {
      title: 'The busiest users, with requests of this half hour',
      rows: () =>
        statistics.busiest(mostRows).map(({ totalMs, ...rest }) => ({ ...rest, totalMs: Math.round(totalMs) })),
    },
    '/debug/watches': {
      title: 'Open watches by client',
      rows: () => watchesByClient(requests).slice(0, mostRows),
    },
    '/debug/objects': { title: 'The largest objects in the caches', rows: () => state.largestObjects(mostRows) },
    '/debug/caches': { title: 'The caches of resources', rows: () => state.caches() },
    '/debug/store': { title: 'The store and its compaction', rows: () => state.store() },
    '/debug/leases': { title: 'Leases, those that are overdue first', rows: () => state.leases() },
  };
  const index: StatePage = {
    title: 'Pages about the state of this server',
    rows: () => Object.entries(pages).map(([path, { title }]) => ({ path, title })),
  };
  return Object.entries({ '/debug': index, ...pages }).map(([path, page]) => [path, handlePage(page)]);
}

function handlePage({ title, rows }: StatePage): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { method, headers } = exchange.request;
    if (method !== 'GET') throw methodNotAllowed();
    const found = await rows();
    const wantsJson = parseAccept(headers.accept ?? '').some(
      ({ type, subtype }) => type === 'application' && subtype === 'json',
    );
    await sendBytes(
      exchange,
      wantsJson
        ? { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify({ title, rows: found })) }
        : { status: 200, contentType: 'text/plain; charset=utf-8', body: Buffer.from(textOf(title, found)) },
    );
  };
}

/** Formats a page as text, with aligned columns. Line feeds in values are replaced. */
function textOf(title: string, rows: readonly StateRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return `${title}\n\nnone\n`;
  const table = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ];
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${title}\n\n${lines.join('\n')}\n`;
}

function cell(value: string | number | undefined): string {
  return String(value ?? '').replace(/[^ -~\u00a1-\uffff]/g, '?') || '-';
}

import type { Target } from '../http-client.ts';
import { request } from '../http-client.ts';

/** One way to ask for a collection. */
export interface OptionCell {
  readonly watch: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: string;
  readonly allowWatchBookmarks: string;
  readonly limit: string;
  readonly continue: string;
}

/** The values of each option; '' leaves it out, `first` and `last` stand for versions of the collection. */
const values: Readonly<Record<keyof OptionCell, readonly string[]>> = {
  watch: ['', 'true'],
  resourceVersion: ['', '0', 'first', 'last', 'never', 'malformed'],
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'Other'],
  sendInitialEvents: ['', 'true', 'false'],
  allowWatchBookmarks: ['', 'true'],
  limit: ['', '1'],
  continue: ['', 'malformed'],
};

/** All combinations of the options. */
export const optionCells: readonly OptionCell[] = Object.entries(values).reduce<OptionCell[]>(
  (cells, [name, choices]) => cells.flatMap((cell) => choices.map((value) => ({ ...cell, [name]: value }))),
  [
    {
      watch: '',
      resourceVersion: '',
      resourceVersionMatch: '',
      sendInitialEvents: '',
      allowWatchBookmarks: '',
      limit: '',
      continue: '',
    },
  ],
);

/** A collection of three objects, and the versions after the first and the last of them. */
export interface AskedCollection {
  readonly path: string;
  readonly first: string;
  readonly last: string;
}

/** Creates the collection. */
export async function createCollection(server: Target, path: string): Promise<AskedCollection> {
  const versions: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const { body } = await request(server, 'POST', path, { metadata: { name } });
    versions.push((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
  }
  return { path, first: versions[0] ?? '', last: versions[2] ?? '' };
}

/** A version that no server reaches. */
const never = '999999999999';

/** How a server answers: the refusal, the number of items, or the events of a watch for a second. */
export async function outcomeOf(server: Target, asked: AskedCollection, cell: OptionCell): Promise<string> {
  const { resourceVersion, ...rest } = cell;
  const versions: Readonly<Record<string, string>> = { first: asked.first, last: asked.last, never };
  const options = { ...rest, resourceVersion: versions[resourceVersion] ?? resourceVersion, timeoutSeconds: '1' };
  const query = new URLSearchParams(Object.entries(options).filter(([, value]) => value !== ''));
  const { status, text, body } = await request(server, 'GET', `${asked.path}?${String(query)}`);
  if (status !== 200) return `${status} ${refusalOf(body)}`;
  if (cell.watch === '') return `200 ${listOf(body)}`;
  return `200 ${text.split('\n').filter(Boolean).map(eventOf).join(' ')}`.trim();
}

interface StatusBody {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number; readonly causes?: readonly { readonly field?: string }[] };
}

function refusalOf(body: unknown): string {
  const { reason = '', message = '', details = {} } = body as StatusBody;
  // Versions differ between servers.
  const text = message.replaceAll(/\b\d{1,11}\b/g, 'N').replaceAll(/\.k8s\.io|\.cl\.io/g, '');
  const wait = details.retryAfterSeconds === undefined ? '' : ' retry';
  return `${reason}${wait}: ${text}`;
}

function listOf(body: unknown): string {
  const { items = [], metadata = {} } = body as {
    readonly items?: readonly unknown[];
    readonly metadata?: { readonly continue?: string; readonly remainingItemCount?: number };
  };
  return `${items.length} items${metadata.continue ? ' continue' : ''}${metadata.remainingItemCount === undefined ? '' : ` +${metadata.remainingItemCount}`}`;
}

function eventOf(line: string): string {
  const { type, object } = JSON.parse(line) as {
    readonly type: string;
    readonly object: StatusBody & {
      readonly metadata?: { readonly name?: string; readonly annotations?: object };
      readonly code?: number;
    };
  };
  if (type === 'ERROR') return `ERROR ${object.code} ${refusalOf(object)}`;
  return `${type}${object.metadata?.annotations ? '*' : ''}${object.metadata?.name ? `:${object.metadata.name}` : ''}`;
}

/** All outcomes, some requests at a time. */
export async function allOutcomes(server: Target, asked: AskedCollection): Promise<readonly string[]> {
  const outcomes: string[] = [];
  const atATime = 96;
  for (let from = 0; from < optionCells.length; from += atATime) {
    const some = optionCells.slice(from, from + atATime);
    outcomes.push(...(await Promise.all(some.map((cell) => outcomeOf(server, asked, cell)))));
  }
  return outcomes;
}

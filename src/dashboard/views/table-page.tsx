import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { ageSince } from '../../meta/human-duration.ts';
import { fragmentOf, go, type Route } from '../page/route.ts';
import { collectionPath } from '../server/paths.ts';
import { type Column, type FeedState, type TableRow, TableFeed, textOf } from '../server/table-feed.ts';
import { type Order, sortedRows } from './sorted-rows.ts';
import { rowHeight, useVisibleRows } from './virtual-rows.ts';

/** The most namespaces that are followed one by one. */
const mostNamespaces = 10;

interface TablePageProps {
  readonly kind: DiscoveredResource;
  readonly apiDomain: string;
  readonly route: Route;
}

/** The worst state of several feeds. */
const worst: readonly FeedState[] = ['refused', 'lost', 'loading', 'live'];

function useFeeds({ kind, apiDomain, route: { namespaces } }: TablePageProps) {
  const [, redraw] = useState(0);
  const feeds = useRef<readonly TableFeed[]>([]);
  const places = kind.namespaced && namespaces.length > 0 ? namespaces.slice(0, mostNamespaces) : [''];
  const key = [kind.group, kind.version, kind.resource, ...places].join('\n');
  useEffect(() => {
    const changed = (): void => redraw((count) => count + 1);
    feeds.current = places.map((namespace) => new TableFeed(collectionPath(kind, namespace), apiDomain, changed));
    changed();
    return () => feeds.current.forEach((feed) => feed.close());
  }, [key]);
  // Ages grow without events.
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  return feeds.current;
}

/** The table of a kind, as the server draws it, with its changes. */
export function TablePage(props: TablePageProps) {
  const { kind, route } = props;
  const feeds = useFeeds(props);
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>({ column: kind.namespaced ? -1 : 0, descending: false });
  const [chosen, setChosen] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const columns = feeds.find((feed) => feed.columns.length > 0)?.columns ?? [];
  const shown = columns.flatMap((column, index) => (column.priority === 0 ? [{ column, index }] : []));
  const age = columns.findIndex(({ name }) => name === 'Age');
  const all = feeds.flatMap((feed) => [...feed.rows.values()]);
  const rows = sortedRows(all, filter, order, age);
  const { start, end } = useVisibleRows(box, rows.length);
  const widths = useMemo(() => widthsOf(all, shown), [kind, columns, Math.ceil(Math.log2(all.length + 1))]);
  const state = worst.find((each) => feeds.some((feed) => feed.state === each)) ?? 'loading';
  const isWide = kind.namespaced && route.namespaces.length !== 1;
  const open = ({ namespace, name }: TableRow): void =>
    go({ ...route, page: 'kind', group: kind.group, resource: kind.resource, namespace, name, tab: '' });
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setChosen(next);
    const element = box.current;
    if (!element) return;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 3 * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + 3 * rowHeight - element.clientHeight;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 2;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    const row = rows[chosen];
    if (step !== undefined) move(chosen + step);
    else if (event.key === 'Enter' && row) open(row);
    else return;
    event.preventDefault();
  };
  return (
    <section class="table-page" aria-label={kind.resource}>
      <header class="bar">
        <h1>{kind.resource}</h1>
        <input
          id="filter"
          type="search"
          placeholder="Filter"
          aria-label="Filter rows"
          value={filter}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            setChosen(0);
          }}
        />
        <span class="numbers" data-testid="numbers">
          {rows.length === all.length ? `${all.length}` : `${rows.length} of ${all.length}`}
        </span>
        <State state={state} error={feeds.find(({ error }) => error !== '')?.error ?? ''} />
      </header>
      {feeds.some(({ cut }) => cut) && (
        <p class="notice">There are more objects than this page keeps. Choose a namespace to see all of them.</p>
      )}
      <div
        class="rows"
        ref={box}
        tabIndex={0}
        role="group"
        aria-label="Objects; arrow keys move, Enter opens"
        onKeyDown={onKeyDown}
      >
        <table aria-rowcount={rows.length + 1}>
          <colgroup>
            {isWide && <col style={{ width: '18ch' }} />}
            {shown.map(({ index }) => (
              <col key={index} style={{ width: `${widths.get(index) ?? 10}ch` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {isWide && <Heading name="Namespace" column={-1} order={order} onOrder={setOrder} />}
              {shown.map(({ column, index }) => (
                <Heading
                  key={index}
                  name={column.name}
                  title={column.description}
                  column={index}
                  order={order}
                  onOrder={setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {start > 0 && <tr aria-hidden="true" style={{ height: `${start * rowHeight}px` }} />}
            {rows.slice(start, end).map((row, offset) => (
              <tr
                key={row.uid}
                aria-rowindex={start + offset + 2}
                class={start + offset === chosen ? 'chosen' : undefined}
                onClick={() => open(row)}
              >
                {isWide && <td>{row.namespace}</td>}
                {shown.map(({ index }, position) => (
                  <td key={index}>
                    {position === 0 ? (
                      <a
                        href={fragmentOf({
                          ...route,
                          page: 'kind',
                          group: kind.group,
                          resource: kind.resource,
                          namespace: row.namespace,
                          name: row.name,
                          tab: '',
                        })}
                        tabIndex={-1}
                      >
                        {cellText(row, index, age)}
                      </a>
                    ) : (
                      cellText(row, index, age)
                    )}
                  </td>
                ))}
              </tr>
            ))}
            {end < rows.length && <tr aria-hidden="true" style={{ height: `${(rows.length - end) * rowHeight}px` }} />}
          </tbody>
        </table>
        {rows.length === 0 && state === 'live' && (
          <p class="nothing">{all.length === 0 ? 'No objects.' : 'No object matches.'}</p>
        )}
      </div>
    </section>
  );
}

const stateTexts: Readonly<Record<FeedState, string>> = {
  loading: 'loading',
  live: 'live',
  lost: 'connection lost, trying again',
  refused: 'refused',
};

function State({ state, error }: { readonly state: FeedState; readonly error: string }) {
  return (
    <span class={`state ${state}`} role="status" title={error}>
      {state === 'refused' ? error : stateTexts[state]}
    </span>
  );
}

interface HeadingProps {
  readonly name: string;
  readonly title?: string;
  readonly column: number;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Heading({ name, title, column, order, onOrder }: HeadingProps) {
  const isSorted = order.column === column;
  const sort = isSorted ? (order.descending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={sort} title={title}>
      <button onClick={() => onOrder({ column, descending: isSorted && !order.descending })}>
        {name}
        <span aria-hidden="true">{isSorted ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

/** Rows that the widths of columns are taken from, and the limits of a width in characters. */
const measuredRows = 500;
const narrowest = 7;
const widest = 60;

function widthsOf(rows: readonly TableRow[], shown: readonly { column: Column; index: number }[]): Map<number, number> {
  const measured = rows.slice(0, measuredRows);
  return new Map(
    shown.map(({ column, index }) => {
      const lengths = measured.map(({ cells }) => textOf(cells[index]).length);
      return [index, Math.min(widest, Math.max(narrowest, column.name.length + 1, ...lengths)) + 3];
    }),
  );
}

function cellText({ cells, created }: TableRow, index: number, age: number): string {
  if (index === age && created !== '') return ageSince(created, Date.now());
  return textOf(cells[index]);
}

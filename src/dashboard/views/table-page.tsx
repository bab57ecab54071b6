import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { ageSince } from '../../meta/human-duration.ts';
import { fragmentOf, go, type Route } from '../page/route.ts';
import { cellText, type TableRow } from '../server/table-rows.ts';
import { columnWidths } from './column-widths.ts';
import { ConnectionState } from './feed-state.tsx';
import { filteredRows, type Order, sortedRows } from './sorted-rows.ts';
import { useFeeds } from './use-feeds.ts';
import { rowHeights, useVisibleRows } from './virtual-rows.ts';

interface TablePageProps {
  readonly kind: DiscoveredResource;
  readonly apiDomain: string;
  readonly route: Route;
}

/** The table of a kind, as the server draws it, with its changes. */
export function TablePage({ kind, apiDomain, route }: TablePageProps) {
  const { feeds, columns, rows: all } = useFeeds(kind, apiDomain, route.namespaces);
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>({ column: kind.namespaced ? -1 : 0, descending: false });
  const [chosenUid, setChosenUid] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const shown = columns.flatMap((column, index) => (column.priority === 0 ? [{ column, index }] : []));
  const age = columns.findIndex(({ name }) => name === 'Age');
  const sorted = useMemo(() => sortedRows(all, order, age), [all, order, age]);
  const rows = useMemo(() => filteredRows(sorted, filter), [sorted, filter]);
  const size = useNarrow() ? 'narrow' : 'wide';
  const rowHeight = rowHeights[size];
  const { start, end } = useVisibleRows(box, rows.length, rowHeight);
  const counted = Math.ceil(Math.log2(all.length + 1));
  const widths = useMemo(() => columnWidths(all, shown, size), [kind, columns, counted, size]);
  const isWide = kind.namespaced && route.namespaces.length !== 1;
  // The row stays chosen when others come before it.
  const chosen = Math.max(0, chosenUid === '' ? 0 : rows.findIndex(({ uid }) => uid === chosenUid));
  const routeOf = ({ namespace, name }: TableRow): Partial<Route> => ({
    ...route,
    page: 'kind',
    group: kind.group,
    resource: kind.resource,
    namespace,
    name,
    tab: '',
  });
  // Without a place of its own the focus would be lost on the way back from an object.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setChosenUid(rows[next]?.uid ?? '');
    if (box.current) scrollToRow(box.current, next, rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
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
    else if (event.key === 'Enter' && row) go(routeOf(row));
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
            setChosenUid('');
          }}
        />
        <span class="numbers" data-testid="numbers">
          {rows.length === all.length ? `${all.length}` : `${rows.length} of ${all.length}`}
        </span>
        <ConnectionState feeds={feeds} />
        <a href={fragmentOf({ ...route, page: 'access' })}>Who can</a>
      </header>
      {feeds.some((feed) => feed.rows.isCut) && (
        <p class="notice">There are more objects than this page keeps. Choose a namespace to see all of them.</p>
      )}
      <div
        class="rows"
        ref={box}
        tabIndex={0}
        role="group"
        aria-label="Objects; arrow keys move, Enter opens"
        aria-describedby="chosen"
        onKeyDown={onKeyDown}
      >
        <table aria-rowcount={rows.length + 1}>
          <colgroup>
            {isWide && <col style={{ width: `${widths.get(-1) ?? 10}ch` }} />}
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
                onClick={() => go(routeOf(row))}
              >
                {isWide && (
                  <td>
                    <div class="cell">{row.namespace}</div>
                  </td>
                )}
                {shown.map(({ index }, position) => (
                  <td key={index}>
                    <div class="cell">
                      {position === 0 ? (
                        <a href={fragmentOf(routeOf(row))} tabIndex={-1}>
                          {shownText(row, index, age)}
                        </a>
                      ) : (
                        shownText(row, index, age)
                      )}
                    </div>
                  </td>
                ))}
              </tr>
            ))}
            {end < rows.length && <tr aria-hidden="true" style={{ height: `${(rows.length - end) * rowHeight}px` }} />}
          </tbody>
        </table>
        {rows.length === 0 && feeds.every(({ state }) => state === 'live' || state === 'still') && (
          <p class="nothing">{all.length === 0 ? 'No objects.' : 'No object matches.'}</p>
        )}
      </div>
      <p id="chosen" class="unseen" role="status">
        {chosenUid !== '' && [rows[chosen]?.namespace, rows[chosen]?.name].filter(Boolean).join(' ')}
      </p>
    </section>
  );
}

/** Scrolls a row into the view, below the sticky head. */
function scrollToRow(element: HTMLElement, row: number, rowHeight: number): void {
  const top = row * rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + 3 * rowHeight > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + 3 * rowHeight - element.clientHeight;
  }
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

function shownText({ cells, created }: TableRow, index: number, age: number): string {
  if (index === age && created !== '') return ageSince(created, Date.now());
  return cellText(cells[index]);
}

/** Follows whether the window is narrow, with the limit of the style sheet. */
function useNarrow(): boolean {
  const [query] = useState(() => matchMedia('(max-width: 700px)'));
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, [query]);
  return isNarrow;
}

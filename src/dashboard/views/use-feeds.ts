import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { collectionPath } from '../server/paths.ts';
import { type Column, TableFeed } from '../server/table-feed.ts';
import type { TableRow } from '../server/table-rows.ts';

/**
 * The most namespaces that are followed one by one; of more, all namespaces are followed. Browsers
 * open six connections to a server without HTTP/2, as `cl dashboard` is, and each watch keeps one.
 */
const mostNamespaces = { multiplexed: 10, other: 3 };

/** How often ages are drawn, which grow without events. */
const agesMs = 10_000;

interface Feeds {
  readonly feeds: readonly TableFeed[];
  readonly columns: readonly Column[];
  /** The rows of the chosen namespaces; the same array until they change. */
  readonly rows: readonly TableRow[];
}

/** The collections of a kind in some namespaces, or in all of them, followed together. */
export function useFeeds(kind: DiscoveredResource, apiDomain: string, namespaces: readonly string[]): Feeds {
  const [, redraw] = useState(0);
  const feeds = useRef<readonly TableFeed[]>([]);
  const isSelected = kind.namespaced && namespaces.length > 0;
  const isEach = isSelected && namespaces.length <= mostAtOnce();
  const key = [kind.group, kind.version, kind.resource, ...(isEach ? namespaces : [''])].join('\n');
  useEffect(() => {
    const changed = (): void => redraw((count) => count + 1);
    const places = isEach ? namespaces : [''];
    feeds.current = places.map(
      (namespace) =>
        new TableFeed({
          path: collectionPath(kind, namespace),
          apiDomain,
          canWatch: kind.verbs.includes('watch'),
          share: places.length,
          changed,
        }),
    );
    changed();
    return () => feeds.current.forEach((feed) => feed.close());
  }, [key]);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), agesMs);
    return () => clearInterval(timer);
  }, []);
  const current = feeds.current;
  const versions = current.map((feed) => feed.rows.version).join();
  const rows = useMemo(() => {
    const all = current.flatMap((feed) => [...feed.rows.values()]);
    return isSelected && !isEach ? all.filter(({ namespace }) => namespaces.includes(namespace)) : all;
  }, [current, versions, namespaces.join('\n')]);
  const columns = current.find((feed) => feed.columns.length > 0)?.columns ?? noColumns;
  return { feeds: current, columns, rows };
}

const noColumns: readonly Column[] = [];

function mostAtOnce(): number {
  const [page] = performance.getEntriesByType('navigation');
  const isMultiplexed = page instanceof PerformanceResourceTiming && /^h[23]/.test(page.nextHopProtocol);
  return isMultiplexed ? mostNamespaces.multiplexed : mostNamespaces.other;
}

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { groupBy } from '../../meta/group-by.ts';
import { countKinds, type Kinds } from '../server/kinds.ts';
import { fragmentOf, go, type Route } from '../page/route.ts';

/** How often the numbers are read again. */
const countEveryMs = 60_000;

interface KindTreeProps {
  readonly kinds: Kinds;
  readonly route: Route;
  readonly onChosen: () => void;
}

/** The kinds by group, with the numbers of their objects. */
export function KindTree({ kinds, route, onChosen }: KindTreeProps) {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const [filter, setFilter] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    const report = (kind: DiscoveredResource, number: number): void =>
      setCounts((known) => new Map(known).set(keyOf(kind), number));
    const count = (): void => {
      if (!document.hidden) void countKinds(kinds.listed, report, stop.signal);
    };
    count();
    const timer = setInterval(count, countEveryMs);
    stop.signal.addEventListener('abort', () => clearInterval(timer));
    return () => stop.abort();
  }, [kinds]);
  const groups = useMemo(() => {
    const wanted = filter.toLowerCase();
    const found = kinds.listed.filter(({ resource, kind, shortNames }) =>
      [resource, kind, ...shortNames].some((text) => text.toLowerCase().includes(wanted)),
    );
    return [...groupBy(found, ({ group }) => group)];
  }, [kinds, filter]);
  const openFirst = (event: KeyboardEvent): void => {
    const first = groups[0]?.[1][0];
    if (event.key !== 'Enter' || !first) return;
    setFilter('');
    onChosen();
    // The table takes a focus that nothing has.
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    go({ page: 'kind', group: first.group, resource: first.resource, namespaces: route.namespaces });
  };
  return (
    <nav class="kinds" aria-label="Kinds">
      <input
        id="kind-filter"
        type="search"
        placeholder="Kinds"
        aria-label="Filter kinds"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={openFirst}
      />
      {groups.map(([group, members]) => (
        <details key={group} open>
          <summary>{group === '' ? 'core' : group}</summary>
          <ul>
            {members.map((kind) => (
              <li key={kind.resource}>
                <a
                  href={fragmentOf({ page: 'kind', group, resource: kind.resource, namespaces: route.namespaces })}
                  aria-current={route.group === group && route.resource === kind.resource ? 'page' : undefined}
                  onClick={onChosen}
                >
                  <span>{kind.resource}</span>
                  <span class="count">{counts.get(keyOf(kind)) ?? ''}</span>
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function keyOf({ group, resource }: DiscoveredResource): string {
  return `${group}/${resource}`;
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { go, type Route } from '../page/route.ts';
import type { Kinds } from '../server/kinds.ts';
import { collectionPath } from '../server/paths.ts';
import { TableFeed } from '../server/table-feed.ts';
import { ConnectionState } from './feed-state.tsx';

/** Namespaces that are listed. */
const mostNamespaces = 1000;

/** The namespaces whose objects tables show; none chosen is all. They are followed while open. */
export function NamespaceChoice({ kinds, route }: { readonly kinds: Kinds; readonly route: Route }) {
  const { namespaces } = route;
  const [isOpen, setOpen] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (!details.current?.open) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = ({ target }: Event): void => {
      if (details.current && target instanceof Node && !details.current.contains(target)) details.current.open = false;
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  return (
    <details
      id="namespaces"
      class="menu"
      ref={details}
      onKeyDown={onKeyDown}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{namespaces.length === 0 ? 'All namespaces' : namespaces.join(', ')}</summary>
      {isOpen && <NamespaceList kinds={kinds} route={route} />}
    </details>
  );
}

function NamespaceList({ kinds, route }: { readonly kinds: Kinds; readonly route: Route }) {
  const { namespaces } = route;
  const feed = useNamespaces(kinds);
  const [wanted, setWanted] = useState('');
  const present = feed ? [...feed.rows.values()].map(({ name }) => name) : [];
  // One that is gone, or may not be listed, can still be chosen and left.
  const names = [...new Set([...namespaces, ...present])].toSorted().filter((name) => name.includes(wanted));
  const toggle = (name: string): void => {
    const rest = namespaces.filter((each) => each !== name);
    go({ ...route, namespaces: rest.length < namespaces.length ? rest : [...namespaces, name] });
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = wanted.trim();
    if (name !== '' && !namespaces.includes(name)) toggle(name);
    setWanted('');
  };
  return (
    <div role="group" aria-label="Namespaces">
      <form onSubmit={onSubmit}>
        <input
          type="search"
          aria-label="Find or name a namespace; Enter chooses it"
          placeholder="Namespace"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </form>
      <button onClick={() => go({ ...route, namespaces: [] })}>All</button>
      {names.slice(0, mostNamespaces).map((name) => (
        <label key={name}>
          <input type="checkbox" checked={namespaces.includes(name)} onChange={() => toggle(name)} /> {name}
        </label>
      ))}
      {names.length > mostNamespaces && <span class="hint">… {names.length - mostNamespaces} more</span>}
      {feed && feed.state !== 'live' && <ConnectionState feeds={[feed]} />}
    </div>
  );
}

/** Follows the namespaces of the server. */
function useNamespaces({ listed, identifiers }: Kinds): TableFeed | undefined {
  const [, redraw] = useState(0);
  const [feed, setFeed] = useState<TableFeed>();
  useEffect(() => {
    const kind = listed.find(({ group, resource }) => group === '' && resource === 'namespaces');
    if (!kind) return undefined;
    const next = new TableFeed({
      path: collectionPath(kind, ''),
      apiDomain: identifiers.apiDomain,
      canWatch: true,
      share: 1,
      changed: () => redraw((count) => count + 1),
    });
    setFeed(next);
    return () => next.close();
  }, [listed]);
  return feed;
}

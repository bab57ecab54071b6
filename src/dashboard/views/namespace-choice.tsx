import { client } from '../server/browser-client.ts';
import { go, type Route } from '../page/route.ts';
import { useAsync } from '../page/use-async.ts';

/** Namespaces that are listed. */
const mostNamespaces = 1000;

/** The namespaces whose objects tables show; none chosen is all. */
export function NamespaceChoice({ route }: { readonly route: Route }) {
  const { value = [] } = useAsync(async (signal) => {
    const kind = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
    const { items } = await client.metadata(kind).list({ limit: mostNamespaces, signal });
    return items.map(({ metadata }) => metadata?.name ?? '');
  }, 'namespaces');
  const { namespaces } = route;
  const toggle = (name: string): void => {
    const rest = namespaces.filter((each) => each !== name);
    go({ ...route, namespaces: rest.length < namespaces.length ? rest : [...namespaces, name] });
  };
  return (
    <details id="namespaces" class="menu">
      <summary>{namespaces.length === 0 ? 'All namespaces' : namespaces.join(', ')}</summary>
      <div role="group" aria-label="Namespaces">
        <button onClick={() => go({ ...route, namespaces: [] })}>All</button>
        {value.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={namespaces.includes(name)} onChange={() => toggle(name)} /> {name}
          </label>
        ))}
      </div>
    </details>
  );
}

/** The part of the dashboard that the fragment of the address names. */
export interface Route {
  /** `kind`, or a page of its own: '' is the start. */
  readonly page: '' | 'kind' | 'metrics' | 'create' | 'access';
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  /** '' for the table of the kind. */
  readonly name: string;
  readonly tab: string;
  /** The namespaces of the table; none is all of them. */
  readonly namespaces: readonly string[];
}

/** The route of nothing. */
const noRoute: Route = { page: '', group: '', resource: '', namespace: '', name: '', tab: '', namespaces: [] };

/** Reads the fragment of an address. Anything unknown is the start. */
export function readRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?');
  const [first = '', group = '', resource = '', namespace = '', name = '', tab = ''] = path
    .split('/')
    .slice(1)
    .map(decoded);
  const namespaces = new URLSearchParams(query).getAll('namespace');
  if (first === 'metrics' || first === 'create' || first === 'access') {
    return { ...noRoute, page: first, group: empty(group), resource, namespaces };
  }
  if (first !== 'kind' || resource === '') return { ...noRoute, namespaces };
  return { page: 'kind', group: empty(group), resource, namespace: empty(namespace), name, tab, namespaces };
}

/** The fragment of a route. */
export function fragmentOf(route: Partial<Route>): string {
  const { page, group, resource, namespace, name, tab, namespaces } = { ...noRoute, ...route };
  const object = name === '' ? [] : [namespace || '-', name, tab];
  const type = resource === '' ? [] : [group || '-', resource];
  const parts = page === 'kind' ? ['kind', ...type, ...object] : page === 'metrics' ? ['metrics'] : [page, ...type];
  const path = parts.filter((part) => part !== '').map(encodeURIComponent);
  const query = new URLSearchParams(namespaces.map((each) => ['namespace', each]));
  return `#/${path.join('/')}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The title of a route, in windows and in the list of those that were seen. */
export function titleOf({ page, resource, name }: Route): string {
  const own = page === 'kind' ? '' : page;
  return [name, resource, own, 'Dashboard'].filter((part) => part !== '').join(' · ');
}

/** Shows a route. */
export function go(route: Partial<Route>): void {
  location.hash = fragmentOf(route);
}

function empty(part: string): string {
  return part === '-' ? '' : part;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

import type { DiscoveredResource } from '../../client/discovery.ts';
import { fragmentOf, type Route } from '../page/route.ts';
import type { Kinds } from '../server/kinds.ts';
import { Access } from './access/access.tsx';

interface AccessPageProps {
  readonly kinds: Kinds;
  readonly kind: DiscoveredResource;
  readonly route: Route;
}

/** The users who may do something with the objects of a kind. */
export function AccessPage({ kinds, kind, route }: AccessPageProps) {
  const [namespace = ''] = route.namespaces;
  return (
    <section class="access-page" aria-label="Access">
      <header class="bar">
        <a href={fragmentOf({ ...route, page: 'kind', name: '', tab: '' })} id="back">
          {kind.resource}
        </a>
        <h1>Access</h1>
        {kind.namespaced && (
          <span class="hint">
            {namespace === '' ? 'in all namespaces' : `in the namespace ${namespace}`}
            {route.namespaces.length > 1 && ', the first of those that are chosen'}
          </span>
        )}
      </header>
      <Access kinds={kinds} kind={kind} namespace={namespace} name="" />
    </section>
  );
}

import type { RequestPath } from './request-path.ts';
import type { RemoteApiService } from '../api-services/api-service.ts';
import type { ApiServices } from '../api-services/api-services.ts';

/** Finds the APIService of the other server that serves a path; undefined if this server does. */
export type FindRemote = (path: RequestPath) => RemoteApiService | undefined;

/** Creates a look-up of the paths of a version, and of all paths below them. */
export function findRemoteAmong(services: ApiServices | undefined): FindRemote {
  if (!services) return () => undefined;
  return ({ target, segments }) => {
    if (target) return services.remote(target.group, target.version);
    const [root, first = '', second = ''] = segments;
    if (root === 'apis') return services.remote(first, second);
    return root === 'api' ? services.remote('', first) : undefined;
  };
}

/** Sub-resources whose requests have no end, in the API of every server. */
const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Reports whether a request that is passed on uses its connection without a time limit, like a
 * connect sub-resource of this server.
 */
export function isForwardedConnection({ target }: RequestPath, isUpgrade: boolean): boolean {
  return isUpgrade || (target !== undefined && (target.prefix === 'proxy' || connections.has(target.subresource)));
}

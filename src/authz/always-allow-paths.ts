import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';

/** The attributes that decide whether a request is one for a path that everyone may read. */
type PathAttributes = Pick<AuthorizationAttributes, 'resourceRequest' | 'verb' | 'path'>;

/** Verbs that read a path: a client that may GET it may ask for its headers alone. */
const readVerbs: ReadonlySet<string> = new Set(['get', 'head']);

/**
 * Tests whether a request reads one of `paths`. A path matches exactly; one that ends with `/*` matches everything below it.
 * Resource requests never match.
 */
export function pathReader(paths: readonly string[]): (attributes: PathAttributes) => boolean {
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return ({ resourceRequest, verb, path }) =>
    !resourceRequest && readVerbs.has(verb) && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

/** `--authorization-always-allow-paths`: everyone may read these paths. It has no opinion on anything else. */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const readsOne = pathReader(paths);
  const allow = { decision: 'allow', reason: '' } as const;
  const noOpinion = { decision: 'no-opinion', reason: '' } as const;
  return {
    name: 'AlwaysAllowPaths',
    authorize: (attributes) => (readsOne(attributes) ? allow : noOpinion),
  };
}

/** The fault of a path in such a list, '' where it has none. */
export function alwaysAllowPathFault(path: string): string {
  if (!path.startsWith('/')) return `path ${JSON.stringify(path)} must begin with /`;
  const star = path.indexOf('*');
  if (star < 0 || (star === path.length - 1 && path.endsWith('/*'))) return '';
  return `path ${JSON.stringify(path)} may have * only as its last segment`;
}

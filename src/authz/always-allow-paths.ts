import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
import { noRules } from './user-rules.ts';

/** The attributes that identify a read of a path. */
type PathAttributes = Pick<AuthorizationAttributes, 'resourceRequest' | 'verb' | 'path'>;

/** The verbs that read a path. */
const readVerbs: ReadonlySet<string> = new Set(['get', 'head']);

/**
 * Returns a test for requests that read one of `paths`. A path matches exactly; a trailing `/*`
 * matches everything below. Resource requests never match.
 */
export function pathReader(paths: readonly string[]): (attributes: PathAttributes) => boolean {
  const exact = new Set(paths.filter((path) => !path.endsWith('*')));
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  return ({ resourceRequest, verb, path }) =>
    !resourceRequest && readVerbs.has(verb) && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

/**
 * `--authorization-always-allow-paths`: allows everyone to read these paths; no opinion on other
 * requests.
 */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const readsOne = pathReader(paths);
  const allow = { decision: 'allow', reason: '' } as const;
  const noOpinion = { decision: 'no-opinion', reason: '' } as const;
  return {
    name: 'AlwaysAllowPaths',
    authorize: (attributes) => (readsOne(attributes) ? allow : noOpinion),
    // These paths are nothing that a user is given.
    rulesFor: () => noRules,
  };
}

/** Validates a path of such a list; returns the error message, '' if it is valid. */
export function alwaysAllowPathError(path: string): string {
  if (!path.startsWith('/')) return `path ${JSON.stringify(path)} must begin with /`;
  const star = path.indexOf('*');
  if (star < 0 || (star === path.length - 1 && path.endsWith('/*'))) return '';
  return `path ${JSON.stringify(path)} may have * only as its last segment`;
}

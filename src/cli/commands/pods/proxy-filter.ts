import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import type { proxyFlags } from './flags.ts';

/** A request as far as it decides whether it is forwarded. */
interface FilteredRequest {
  readonly method: string;
  readonly path: string;
  /** The header `Host`. */
  readonly host: string;
}

type FilterOptions = Pick<
  Invocation<typeof proxyFlags>['options'],
  'acceptHosts' | 'acceptPaths' | 'rejectPaths' | 'rejectMethods'
>;

/**
 * The rule of the requests that the proxy forwards. Pages of other sites cannot use it, since their
 * requests have another host. Throws CliError for a pattern that is no regular expression.
 */
export function requestFilter(options: FilterOptions): (request: FilteredRequest) => boolean {
  const [hosts, paths, rejectedPaths, rejectedMethods] = [
    options.acceptHosts,
    options.acceptPaths,
    options.rejectPaths,
    options.rejectMethods,
  ].map(matcher);
  return ({ method, path: encoded, host }) => {
    const path = decoded(encoded);
    if (path === undefined) return false;
    if (rejectedPaths?.(path) || rejectedMethods?.(method)) return false;
    return Boolean(paths?.(path) && hosts?.(withoutPort(host)));
  };
}

/** The path as the server reads it: `/pods/a/%65xec` is `/pods/a/exec`. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function matcher(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) => {
    try {
      return new RegExp(pattern, 'u');
    } catch (cause) {
      throw new CliError(`"${pattern}" is not a regular expression`, { cause });
    }
  });
  return (text) => expressions.some((expression) => expression.test(text));
}

/** `[::1]:8001` is `[::1]`. */
function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** The servers of a proxied page. */
export interface RewriteRule {
  /** The path that stands for the root of the proxied server, without slash at its end. */
  readonly prefix: string;
  /** Host and port of the proxied server. */
  readonly host: string;
  /** The host that the client sent its request to. */
  readonly clientHost: string;
}

/** An absolute URL, a URL without scheme, or an absolute path. */
const withHost = /^(?:([a-z][a-z0-9+.-]*):)?\/\/([^/?#]*)/i;

/**
 * Rewrites a URL of a page that leads to the proxied server itself to one that leads through this
 * server; others, and relative ones, stay as they are. A URL with the host of the client keeps it.
 */
export function rewriteUrl(url: string, { prefix, host, clientHost }: RewriteRule): string {
  const match = withHost.exec(url);
  const [authority = '', scheme, named = ''] = match ?? [];
  const path = url.slice(authority.length);
  if (!path.startsWith('/')) return url;
  if (match && (!/^https?$/i.test(scheme ?? 'http') || (named !== host && named !== clientHost))) return url;
  const own = match && named === clientHost && named !== host ? authority : '';
  return path === prefix || path.startsWith(`${prefix}/`) ? `${own}${path}` : `${own}${prefix}${path}`;
}

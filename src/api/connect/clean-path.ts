/**
 * Resolves `.`, `..` and repeated slashes in a decoded path, so that it does not depend on the
 * server behind the proxy what they mean. A slash at the end is kept.
 */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const clean = `/${segments.join('/')}`;
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean;
}

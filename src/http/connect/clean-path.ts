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

/**
 * Encodes a path of bytes, one for each character, as Go does: control characters and line ends
 * cannot become a part of the request line.
 */
export function encodePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~$&+,/:;=@]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

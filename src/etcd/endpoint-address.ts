/**
 * The address of an etcd member, a URL without more than a host and a port, or `host:port`, as
 * `<scheme>://<host>:<port>`; undefined for any other text.
 */
export function endpointAddress(text: string): string | undefined {
  const hasScheme = /^[a-z]+:\/\//.test(text);
  if (!hasScheme && !/:\d+$/.test(text)) return undefined;
  const withScheme = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined;
  if (url.username + url.password + url.search + url.hash !== '' || url.pathname !== '/') return undefined;
  return `${url.protocol}//${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

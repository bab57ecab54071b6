/**
 * The address of an etcd member, a URL or `host:port`, as `<scheme>://<host>:<port>`; undefined for
 * any other text.
 */
export function endpointAddress(text: string): string | undefined {
  const withScheme = /^[a-z]+:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined;
  return `${url.protocol}//${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

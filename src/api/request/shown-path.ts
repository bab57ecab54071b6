import type { Exchange } from './exchange.ts';

/** The path of a request for spans and logs. */
export function shownPath({ path, isConnection }: Pick<Exchange, 'path' | 'isConnection'>): string {
  const { target, decoded } = path;
  if (!isConnection || !target || target.subresource === '') return decoded;
  const end = decoded.indexOf(`/${target.subresource}`);
  return end < 0 ? decoded : decoded.slice(0, end + target.subresource.length + 1);
}

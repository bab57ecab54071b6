import { badRequest, StatusError } from '../../status/status-error.ts';
import { maxHeadersCount } from '../server-settings.ts';
import type { HttpRequest } from './http-message.ts';

/**
 * Refuses headers that Node lets through although it shows only a part of them: more lines than the limit, of which it
 * drops the rest; and several Host headers, of which it takes the first while a proxy on the way may have taken
 * another (RFC 9112, 3.2). Node checks for a missing Host on plain HTTP/1.1 servers only, not beside HTTP/2.
 */
export function checkHeaders({ rawHeaders, httpVersion }: HttpRequest): void {
  if (rawHeaders.length > 2 * maxHeadersCount) {
    throw new StatusError('RequestEntityTooLarge', `a request may have at most ${maxHeadersCount} header lines`, {
      code: 431,
    });
  }
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) throw badRequest('a request may have only one Host header');
  if (hosts === 0 && httpVersion === '1.1') throw badRequest('a request of HTTP/1.1 needs a Host header');
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

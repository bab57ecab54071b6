import { badRequest, StatusError } from '../../status/status-error.ts';
import { maxHeadersCount } from './server-settings.ts';
import type { HttpRequest } from './http-message.ts';

/**
 * Refuses headers of which Node exposes only a part: more lines than the limit, because Node drops
 * the rest, and several Host headers, because Node keeps the first while a proxy may have used
 * another one (RFC 9112, 3.2). A missing Host is refused here too. Throws 400 or 431.
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

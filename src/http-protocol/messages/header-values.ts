import type { HttpRequest } from './http-message.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import { maxHeadersCount } from './server-settings.ts';
import { appendTo } from '../../meta/group-by.ts';

/**
 * The values of a header, in order; its name is given in lower case. Needs raw headers, because
 * Node joins repeated ones.
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name)
      values.push(headerText(rawHeaders[index + 1] ?? ''));
  }
  return values;
}

/**
 * The values of all headers whose names begin with a prefix, given in lower case. The key of a
 * value is the rest of the name in lower case, percent-decoded if it can be.
 */
export function prefixedHeaderValues(rawHeaders: readonly string[], prefix: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.slice(0, prefix.length).toLowerCase() !== prefix) continue;
    const key = decoded(sent.slice(prefix.length).toLowerCase());
    const value = headerText(rawHeaders[index + 1] ?? '');
    appendTo(found, key, value);
  }
  return found;
}

/** Node reads the bytes of a header as Latin-1; the names of users are UTF-8. */
function headerText(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Removes the headers whose names match, so that later handlers neither see nor forward them.
 * Names are as the client wrote them.
 */
export function removeHeaders({ rawHeaders, headers }: HttpRequest, matches: (name: string) => boolean): void {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (matches(rawHeaders[index] ?? '')) rawHeaders.splice(index, 2);
  }
  for (const name of Object.keys(headers)) if (matches(name)) delete headers[name];
}

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

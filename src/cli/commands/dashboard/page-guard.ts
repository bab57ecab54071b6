import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The path of the link that signs a browser in. */
const linkPath = '/open';

/** The decision about a request: it is the link, it may go on, or a status with a reason. */
type Verdict =
  | { readonly cookie: string }
  | { readonly isAllowed: true }
  | { readonly status: 401 | 403; readonly reason: string };

/** The guard of a page on a port of the loopback interface. */
interface PageGuard {
  /** The address that signs a browser in, once. */
  readonly link: string;
  /** Decides about a request. The first right link is used up by it. */
  readonly judge: (request: IncomingMessage) => Verdict;
}

/**
 * Creates the guard of a page. Only the browser that opened the link gets on, by a cookie that no
 * script reads. Requests under another name of this machine (DNS rebinding) and those that pages of
 * other origins cause are refused, whatever their cookie.
 */
export function createPageGuard(port: number): PageGuard {
  const hosts: ReadonlySet<string> = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const cookieName = `dashboard-${port}`;
  const secret = newSecret();
  const token = newSecret();
  let isUsed = false;

  function follow(url: URL): Verdict {
    if (!isSame(url.searchParams.get('token') ?? '', token)) return { status: 401, reason: 'The link is wrong.' };
    if (isUsed) return { status: 401, reason: 'The link was used: it works once. Start the command again.' };
    isUsed = true;
    return { cookie: `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict` };
  }

  return {
    link: `http://127.0.0.1:${port}${linkPath}?token=${token}`,
    judge({ method = '', url = '', headers }) {
      const { host = '' } = headers;
      if (!hosts.has(host)) return { status: 403, reason: 'The host of the request is another one.' };
      const path = url.replace(/\?.*$/s, '');
      if (path === linkPath && method === 'GET') return follow(new URL(url, `http://${host}`));
      if (isForeign(method, headers)) return { status: 403, reason: 'The request comes from another origin.' };
      if (!isSame(cookieOf(headers.cookie, cookieName), secret)) {
        return { status: 401, reason: 'Open the link that the command printed.' };
      }
      return { isAllowed: true };
    },
  };
}

/** Reports whether another origin caused a request. A write must prove that it did not. */
function isForeign(method: string, headers: IncomingMessage['headers']): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined) return origin !== `http://${host}`;
  return method !== 'GET' && method !== 'HEAD';
}

function cookieOf(header = '', wanted: string): string {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${wanted}=`))?.slice(wanted.length + 1) ?? '';
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

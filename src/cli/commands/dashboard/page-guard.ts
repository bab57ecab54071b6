import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The path of the link that signs a browser in. */
const linkPath = '/open';

/** The decision about a request: it is the link, it may go on, or a status with a reason. */
type Verdict =
  | { readonly cookie: string }
  | { readonly isAllowed: true }
  | { readonly status: 400 | 401 | 403; readonly reason: string };

/** The guard of a page on a port of the loopback interface. */
interface PageGuard {
  /** The address that signs a browser in, once. */
  readonly link: () => string;
  /** Decides about a request. The first right link is used up by it. */
  readonly judge: (request: IncomingMessage) => Verdict;
  /**
   * Ends the session: its cookie is refused from now on, and there is a new link. Returns the
   * header that removes the cookie from the browser.
   */
  readonly signOut: () => string;
}

/**
 * Creates the guard of a page. Only the browser that opened the link gets on, by a cookie that no
 * script reads. Requests under another name of this machine (DNS rebinding), those that pages of
 * other origins cause, and those over connections of other users of this machine are refused,
 * whatever their cookie: browsers send a cookie to all ports of a host.
 */
export function createPageGuard(port: number, isOwnConnection: (request: IncomingMessage) => boolean): PageGuard {
  const hosts: ReadonlySet<string> = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const cookieName = `dashboard-${port}`;
  let session = newSession();

  function follow(url: URL): Verdict {
    if (!isSame(url.searchParams.get('token') ?? '', session.token)) {
      return { status: 401, reason: 'The link is wrong, or was used and the session ended.' };
    }
    if (session.isUsed) return { status: 401, reason: 'The link was used: it works once. Start the command again.' };
    session.isUsed = true;
    return { cookie: `${cookieName}=${session.secret}; Path=/; HttpOnly; SameSite=Strict` };
  }

  return {
    link: () => `http://127.0.0.1:${port}${linkPath}?token=${session.token}`,
    judge(request) {
      const { method = '', url = '', headers } = request;
      const { host = '' } = headers;
      if (!hosts.has(host)) return { status: 403, reason: 'The host of the request is another one.' };
      // A target of two slashes or with a host of its own would be another address.
      if (!/^\/(?!\/)/.test(url)) return { status: 400, reason: 'The target of the request is no path.' };
      if (!isOwnConnection(request)) return { status: 403, reason: 'Another user of this machine sent the request.' };
      const path = url.replace(/\?.*$/s, '');
      if (path === linkPath && method === 'GET') return follow(new URL(url, `http://${host}`));
      if (isCrossSite(method, headers)) return { status: 403, reason: 'The request comes from another origin.' };
      if (!isSame(cookieOf(headers.cookie, cookieName), session.secret)) {
        return { status: 401, reason: 'Open the link that the command printed.' };
      }
      return { isAllowed: true };
    },
    signOut() {
      session = newSession();
      return `${cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
    },
  };
}

/** The secrets of one link and of the browser that opened it. */
interface PageSession {
  readonly token: string;
  readonly secret: string;
  isUsed: boolean;
}

function newSession(): PageSession {
  return { token: newSecret(), secret: newSecret(), isUsed: false };
}

/** Reports whether another origin caused a request. A write must prove that it did not. */
function isCrossSite(method: string, headers: IncomingMessage['headers']): boolean {
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

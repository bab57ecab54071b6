import { refusedCredential } from './refused-credential.ts';
import type { AuthenticationRequest, AuthenticationResult, Authenticator } from './authenticator.ts';
import { headerValues, prefixedHeaderValues } from '../http-protocol/messages/header-values.ts';

/** The names of the headers in which a proxy sends the user (spec 5.5), in any case. */
export interface FrontProxyHeaders {
  /** The first of these headers with a value has the user name. */
  readonly username: readonly string[];
  /** The first of these headers with a value has the UID. */
  readonly uid: readonly string[];
  /** All values of all these headers are groups. */
  readonly groups: readonly string[];
  /** The rest of the name of a header with one of these prefixes is the key of an extra field. */
  readonly extraPrefixes: readonly string[];
}

/** The configuration of an authenticating proxy. */
interface FrontProxyOptions {
  /** Authenticates the certificate of the proxy, by its own CA: its user is the common name. */
  readonly certificate: Authenticator;
  /** The common names of proxies; none allows all. */
  readonly allowedNames: readonly string[];
  readonly headers: FrontProxyHeaders;
}

/**
 * Authenticates the users of an authenticating proxy (spec 5.5). Headers are read only on a
 * connection with a certificate of the proxy's own CA and with an allowed name. The headers of any
 * other client say nothing.
 */
export function frontProxyAuthenticator({ certificate, allowedNames, headers }: FrontProxyOptions): Authenticator {
  const names = lowerCase(headers);
  const own = new Set([...names.username, ...names.uid, ...names.groups]);
  const allowed = new Set(allowedNames);
  return {
    name: 'front-proxy',
    authenticate(request) {
      const username = firstValue(request.rawHeaders, names.username);
      if (username === '' || !request.clientCertificate) return undefined;
      const admit = (proxy: AuthenticationResult): AuthenticationResult => {
        if (!proxy) return undefined;
        if (allowed.size > 0 && !allowed.has(proxy.user.username)) {
          throw refusedCredential('the name in the certificate is not that of a proxy');
        }
        return { user: userOf(request, username, names) };
      };
      const proxy = certificate.authenticate(request);
      return proxy instanceof Promise ? proxy.then(admit) : admit(proxy);
    },
    isCredentialHeader: (name) => own.has(name) || names.extraPrefixes.some((prefix) => name.startsWith(prefix)),
  };
}

function userOf({ rawHeaders }: AuthenticationRequest, username: string, names: FrontProxyHeaders) {
  const extra = names.extraPrefixes.flatMap((prefix) => [...prefixedHeaderValues(rawHeaders, prefix)]);
  return {
    username,
    uid: firstValue(rawHeaders, names.uid),
    groups: names.groups.flatMap((name) => headerValues(rawHeaders, name)).filter(Boolean),
    extra: Object.fromEntries(extra),
  };
}

function firstValue(rawHeaders: readonly string[], names: readonly string[]): string {
  for (const name of names) {
    const [value] = headerValues(rawHeaders, name);
    if (value) return value;
  }
  return '';
}

function lowerCase({ username, uid, groups, extraPrefixes }: FrontProxyHeaders): FrontProxyHeaders {
  return { username: lower(username), uid: lower(uid), groups: lower(groups), extraPrefixes: lower(extraPrefixes) };
}

function lower(names: readonly string[]): readonly string[] {
  return names.map((name) => name.toLowerCase());
}

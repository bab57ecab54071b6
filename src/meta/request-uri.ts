import { parseAddress } from './parse-address.ts';

/** The parts of a URL. Host, path and query are as they were written. */
export interface RequestUri {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

type Problem = { readonly problem: string };

/**
 * Parses a request target: an absolute URL or an absolute path. A `#` does not begin a fragment.
 * The problems are the messages of Go's `net/url`.
 */
export function parseRequestUri(text: string): RequestUri | Problem {
  return parse(text, true);
}

/** Parses a URL without its fragment. */
export function parseUrl(text: string): RequestUri | Problem {
  const hash = text.indexOf('#');
  return parse(hash < 0 ? text : text.slice(0, hash), false);
}

/** Reports whether a text has control characters of ASCII. */
function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text.replaceAll(/[\u0080-\u009f]/g, ''));
}

function parse(text: string, isRequest: boolean): RequestUri | Problem {
  if (hasControl(text)) return { problem: 'net/url: invalid control character in URL' };
  if (text === '' && isRequest) return { problem: 'empty url' };
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) return { problem: 'missing protocol scheme' };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const [rest, query] = splitQuery(scheme === '' ? text : text.slice(scheme.length + 1));
  const parts = { scheme: scheme.toLowerCase(), query };
  if (!rest.startsWith('/')) {
    // A path without a slash is opaque.
    if (scheme !== '') return { ...parts, host: '', path: '' };
    if (isRequest) return { problem: 'invalid URI for request' };
    if (/^[^/]*:/.test(rest)) return { problem: 'first path segment in URL cannot contain colon' };
  }
  const authority = scheme === '' && isRequest ? null : /^\/\/([^/]*)(.*)$/s.exec(rest);
  const isPath = !authority || (scheme === '' && rest.startsWith('///'));
  const [, beforePath = '', path = ''] = isPath ? ['', '', rest] : authority;
  const problem = (isPath ? undefined : authorityProblem(parts.scheme, beforePath)) ?? escapeProblem(path);
  if (problem !== undefined) return { problem };
  return { ...parts, host: beforePath.slice(beforePath.lastIndexOf('@') + 1), path };
}

function splitQuery(text: string): readonly [rest: string, query: string] {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/s;

function escapeProblem(text: string): string | undefined {
  const found = badEscape.exec(text)?.[0];
  return found === undefined ? undefined : `invalid URL escape ${JSON.stringify(found)}`;
}

const userInfo = /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/;

function authorityProblem(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const problem = hostProblem(scheme, authority.slice(at + 1));
  if (problem !== undefined || at < 0) return problem;
  const user = authority.slice(0, at);
  return userInfo.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo';
}

function portProblem(port: string): string | undefined {
  return /^(?::[0-9]*)?$/.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
}

function hostProblem(scheme: string, host: string): string | undefined {
  const open = host.lastIndexOf('[');
  if (open > 0) return 'invalid IP-literal';
  if (open === 0) return literalProblem(host);
  // Other schemes have lists of hosts.
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon < 0 ? undefined : portProblem(host.slice(colon))) ?? hostCharacterProblem(host);
}

/** The problem of an address in brackets, with its port. */
function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf(']');
  if (close < 0) return "missing ']' in host";
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address = zone < 0 ? name : name.slice(0, zone);
  const problem = portProblem(host.slice(close + 1)) ?? hostCharacterProblem(address);
  if (problem !== undefined) return problem;
  const zoneText = zone < 0 ? '' : name.slice(zone);
  if (badEscape.test(zoneText)) return escapeProblem(zoneText);
  const parsed = parseAddress(address + zoneText.replace('%25', '%'));
  if ('problem' in parsed) return `invalid host: ${parsed.problem}`;
  return parsed.family === 4 ? 'invalid IP-literal' : undefined;
}

/** The problem of a percent escape in a host name: only characters beyond ASCII may be escaped. */
function hostCharacterProblem(host: string): string | undefined {
  const escaped = badEscape.exec(host)?.[0] ?? /%(?!25)[0-7][0-9a-fA-F]/.exec(host)?.[0];
  if (escaped !== undefined) return `invalid URL escape ${JSON.stringify(escaped)}`;
  const other = /[^-A-Za-z0-9._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host)?.[0];
  return other === undefined ? undefined : `invalid character ${JSON.stringify(other)} in host name`;
}

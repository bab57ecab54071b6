import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** The parts of a URL (RFC 3986, appendix B): scheme, authority, path, query, fragment. */
const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const form = '; desired format: https://host[/path]';

/** Checks the URL of a webhook: `https`, a host, perhaps a path, and nothing else. */
export function checkWebhookUrl(field: string, text: string): FieldError[] {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = urlPattern.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const problem = parseProblem(text, { scheme, authority, host, path, fragment });
  if (problem !== undefined) {
    return [required(field, `url must be a valid URL: parse ${JSON.stringify(text)}: ${problem}${form}`)];
  }
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be provided${form}`)] : []),
    // The error does not show the URL, because user information may contain a password and Statuses
    // are logged.
    ...(at < 0 ? [] : [invalid(field, '', 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

interface UrlParts {
  readonly scheme: string;
  readonly authority: string;
  readonly host: string;
  readonly path: string;
  readonly fragment: string;
}

/** Returns why Go's parser refuses a URL; undefined if it accepts it. */
function parseProblem(text: string, { scheme, authority, host, path, fragment }: UrlParts): string | undefined {
  if (Array.from(text).some(isControl)) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  if (scheme === '' && authority === '' && /^[^/]*:/.test(path))
    return 'first path segment in URL cannot contain colon';
  // A text after the scheme that is no path is not parsed.
  if (scheme !== '' && authority === '' && !path.startsWith('/')) return escapeProblem(fragment);
  return authorityProblem(authority, host) ?? escapeProblem(path) ?? escapeProblem(fragment);
}

function authorityProblem(authority: string, host: string): string | undefined {
  const user = authority.slice(0, authority.length - host.length);
  // All characters of RFC 3986, section 3.2.1, and others that are seen.
  if (!/^[\w.~!$&'()*+,;=:%@-]*$/.test(user)) return 'net/url: invalid userinfo';
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const port = host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : (/:[^:]*$/.exec(host)?.[0] ?? '');
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const [forbidden] = /[ \\^`{|}]/.exec(host) ?? [];
  if (forbidden !== undefined) return `invalid character ${JSON.stringify(forbidden)} in host name`;
  const [ascii] = /%[0-7][0-9A-Fa-f]/.exec(host.replaceAll('%25', '')) ?? [];
  return (
    escapeProblem(user + host) ?? (ascii === undefined ? undefined : `invalid URL escape ${JSON.stringify(ascii)}`)
  );
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}

function escapeProblem(part: string): string | undefined {
  const [escape] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(part) ?? [];
  return escape === undefined ? undefined : `invalid URL escape ${JSON.stringify(escape)}`;
}

import type { ImpersonatedUser } from '../outbound/config/connection-settings.ts';

/** The query of a path; values that are undefined or empty are left out. */
export function queryText(query: Readonly<Record<string, string | number | boolean | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** The headers that name a user in whose place requests are sent (spec 5.7). */
export function impersonationHeaders(user: ImpersonatedUser | undefined): Record<string, string | string[]> {
  if (!user) return {};
  const { username, groups = [], uid = '', extra = {} } = user;
  const extras = Object.entries(extra).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key)}`,
    [...values],
  ]);
  return {
    'impersonate-user': username,
    ...(groups.length > 0 ? { 'impersonate-group': [...groups] } : {}),
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...Object.fromEntries(extras),
  };
}

const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of `Warning: 299 - "text"` headers (RFC 7234 section 5.5). */
export function readWarnings(header: string | string[] | undefined): string[] {
  const joined = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...joined.matchAll(warning)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

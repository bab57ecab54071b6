import { badRequest } from '../../status/status-error.ts';

/** The user that a request asks to act as (spec 5.7). */
export interface RequestedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Values by decoded lower-case key. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** True for the name of a header of impersonation, in any case. */
export function isImpersonationHeader(name: string): boolean {
  // Most names differ in the first letter; others are compared without a copy of the name.
  return (name.charCodeAt(0) | 0x20) === 0x69 && name.slice(0, prefix.length).toLowerCase() === prefix;
}

/**
 * Parses the headers of impersonation; undefined without any. Needs raw headers, because Node joins
 * repeated ones. Throws 400 for groups, a UID or extra fields without a user, and for several
 * users, of which a proxy may have checked another one.
 */
export function impersonationHeaders(rawHeaders: readonly string[]): RequestedUser | undefined {
  const values = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!isImpersonationHeader(name)) continue;
    const key = name.toLowerCase();
    const value = utf8(rawHeaders[index + 1] ?? '');
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values.size === 0 ? undefined : requestedUser(values);
}

function requestedUser(values: ReadonlyMap<string, readonly string[]>): RequestedUser | undefined {
  const username = only(values, 'impersonate-user');
  const uid = only(values, 'impersonate-uid');
  const groups = values.get('impersonate-group') ?? [];
  const extra = extraOf(values);
  if (username !== '') return { username, uid, groups, extra };
  if (uid !== '' || groups.length > 0 || extra.size > 0) {
    throw badRequest('groups, a UID or extra fields can be impersonated only together with a user');
  }
  return undefined;
}

function only(values: ReadonlyMap<string, readonly string[]>, name: string): string {
  const [value = '', ...more] = values.get(name) ?? [];
  if (more.length > 0) throw badRequest(`a request may have only one ${name} header`);
  return value;
}

function extraOf(values: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const [name, list] of values) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = decoded(name.slice(extraPrefix.length));
    // Different spellings can decode to one key.
    extra.set(key, [...(extra.get(key) ?? []), ...list]);
  }
  return extra;
}

/** A name with an invalid escape is used as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Node reads the bytes of a header as Latin-1; the names of users are UTF-8. */
function utf8(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

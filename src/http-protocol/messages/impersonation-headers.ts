import { headerValues, prefixedHeaderValues } from './header-values.ts';
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

/** True for the name of a header of impersonation, in any case. */
export function isImpersonationHeader(name: string): boolean {
  // Most names differ in the first letter; others are compared without a copy of the name.
  return (name.charCodeAt(0) | 0x20) === 0x69 && name.slice(0, prefix.length).toLowerCase() === prefix;
}

/**
 * Parses the headers of impersonation; undefined without any. Throws 400 for groups, a UID or extra
 * fields without a user, and for several users, of which a proxy may have checked another one.
 */
export function impersonationHeaders(rawHeaders: readonly string[]): RequestedUser | undefined {
  if (!rawHeaders.some((text, index) => index % 2 === 0 && isImpersonationHeader(text))) return undefined;
  const username = only(rawHeaders, 'impersonate-user');
  const uid = only(rawHeaders, 'impersonate-uid');
  const groups = headerValues(rawHeaders, 'impersonate-group');
  const extra = prefixedHeaderValues(rawHeaders, 'impersonate-extra-');
  if (username !== '') return { username, uid, groups, extra };
  if (uid !== '' || groups.length > 0 || extra.size > 0) {
    throw badRequest('groups, a UID or extra fields can be impersonated only together with a user');
  }
  return undefined;
}

function only(rawHeaders: readonly string[], name: string): string {
  const [value = '', ...more] = headerValues(rawHeaders, name);
  if (more.length > 0) throw badRequest(`a request may have only one ${name} header`);
  return value;
}

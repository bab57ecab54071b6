import type { RequestedUser } from '../../http-protocol/messages/impersonation-headers.ts';
import {
  domainPathMessage,
  splitDomainPrefixedPath,
  validateDnsSubdomain,
  validateUrlPath,
} from '../../meta/validate-name.ts';

/** A group or extra field that nobody may impersonate, and the reason. */
interface RequestedUserError {
  readonly resource: 'groups' | 'userextras';
  readonly name: string;
  readonly reason: string;
}

/** Checks a user for constrained impersonation; undefined if the user may be impersonated. */
export function requestedUserError({ groups, extra }: RequestedUser): RequestedUserError | undefined {
  if (groups.includes('')) return groupError('', 'the empty string');
  if (groups.includes(privileged)) return groupError(privileged, `the ${privileged}`);
  for (const [key, values] of extra) {
    const reason = keyError(key) ?? valueError(values);
    if (reason !== undefined) return { resource: 'userextras', name: '', reason };
  }
  return undefined;
}

const privileged = 'system:masters';

function groupError(name: string, shown: string): RequestedUserError {
  return { resource: 'groups', name, reason: `impersonating ${shown} group is not allowed` };
}

function keyError(key: string): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const parts = splitDomainPrefixedPath(key);
  const isValid = parts && validateUrlPath(parts.path).length + validateDnsSubdomain(parts.domain).length === 0;
  if (isValid) return undefined;
  const why = `extra.key: Invalid value: ${JSON.stringify(key)}: ${domainPathMessage}`;
  return `impersonating an invalid key in extra is not allowed: ${why}`;
}

function valueError(values: readonly string[]): string | undefined {
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** Checks a name such as `example.com/controller`: a DNS subdomain, a slash and a path. */
export function checkDomainPrefixedPath(field: string, value: string): FieldError[] {
  if (value === '') return [required(field)];
  const slash = value.indexOf('/');
  const domain = value.slice(0, slash);
  const path = value.slice(slash + 1);
  if (slash <= 0 || path === '') {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...validateDnsSubdomain(domain).map((message) => invalid(field, domain, message)),
    ...(pathPattern.test(path)
      ? []
      : [invalid(field, path, `Invalid path (regex used for validation is '${pathPattern.source.slice(1, -1)}')`)]),
  ];
}

/** The characters that a path may have (RFC 3986). */
const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

import {
  domainPathMessage,
  splitDomainPrefixedPath,
  validateDnsSubdomain,
  validateUrlPath,
} from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/**
 * Checks a domain-prefixed path such as `example.com/controller`: a DNS subdomain, a slash and a
 * path.
 */
export function checkDomainPrefixedPath(field: string, value: string): FieldError[] {
  if (value === '') return [required(field)];
  const parts = splitDomainPrefixedPath(value);
  if (!parts) return [invalid(field, value, domainPathMessage)];
  const { domain, path } = parts;
  return [
    ...validateDnsSubdomain(domain).map((message) => invalid(field, domain, message)),
    ...validateUrlPath(path).map((message) => invalid(field, path, message)),
  ];
}

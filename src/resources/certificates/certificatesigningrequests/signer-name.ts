import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

const domainLimit = 253;
/** Maximum length of the path: a subdomain, a dot and a label. */
const pathLimit = 253 + 1 + 63;

/**
 * Checks the name of a signer: `<domain>/<path>`. The domain has at least two labels (spec 2.5).
 */
export function checkSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  return [...domainErrors(field, domain), ...pathErrors(field, path)];
}

function domainErrors(field: string, domain: string): FieldError[] {
  const labels = domain.split('.');
  const faults = labels.flatMap((label) =>
    validateDnsLabel(label).map((message) => `validating label ${JSON.stringify(label)}: ${message}`),
  );
  return [
    ...(domain.length > domainLimit ? [tooLong(field, domainLimit)] : []),
    ...(labels.length < 2
      ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...faults.map((fault) => invalid(field, domain, fault)),
  ];
}

function pathErrors(field: string, path: string): FieldError[] {
  if (path.length > pathLimit) return [tooLong(field, pathLimit)];
  return validateDnsSubdomain(path).map((message) => invalid(field, path, message));
}

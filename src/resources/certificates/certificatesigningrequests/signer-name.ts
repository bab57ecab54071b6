import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

const domainLimit = 253;
/** Maximum length of a name: a domain, a slash, a namespace, a dot and a name in the namespace. */
const nameLimit = 253 + 1 + 63 + 1 + 253;

/**
 * Checks the name of a signer: `<domain>/<path>`. The domain has at least two labels (spec 2.5).
 * The parts of the path between its dots are names of objects, so each may be long.
 */
export function checkSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, 'signerName must be provided')];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  return [
    ...domainErrors(field, domain),
    ...partErrors(field, path, validateDnsSubdomain),
    ...(name.length > nameLimit ? [tooLong(field, nameLimit)] : []),
  ];
}

function domainErrors(field: string, domain: string): FieldError[] {
  return [
    ...(domain.length > domainLimit ? [tooLong(field, domainLimit)] : []),
    ...partErrors(field, domain, validateDnsLabel),
    ...(domain.includes('.')
      ? []
      : [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]),
  ];
}

/** The errors of the first invalid part between the dots of a domain or path. */
function partErrors(field: string, text: string, validate: (part: string) => readonly string[]): FieldError[] {
  for (const part of text.split('.')) {
    const problems = validate(part);
    if (problems.length > 0) {
      return problems.map((problem) => invalid(field, text, `validating label ${JSON.stringify(part)}: ${problem}`));
    }
  }
  return [];
}

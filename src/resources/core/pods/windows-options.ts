import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';

/** Checks the options of a security context for Windows. */
export function checkWindowsOptions(field: string, security: JsonObject): readonly FieldError[] {
  const options = objectAt(security, 'windowsOptions');
  const [name, credentials, user] = ['gmsaCredentialSpecName', 'gmsaCredentialSpec', 'runAsUserName'] as const;
  return allErrors(
    isSet(options, name) ? checkString(`${field}.${name}`, stringAt(options, name), validateDnsSubdomain) : noErrors,
    isSet(options, credentials)
      ? credentialErrors(`${field}.${credentials}`, stringAt(options, credentials))
      : noErrors,
    isSet(options, user) ? userErrors(`${field}.${user}`, stringAt(options, user)) : noErrors,
  );
}

/** Maximum sizes of credentials, in KiB, and of the parts of a user name, in characters. */
const limits = { credentialsKibibytes: 64, domain: 256, user: 104 };

function credentialErrors(field: string, credentials: string): readonly FieldError[] {
  if (credentials === '') return [invalid(field, credentials, 'gmsaCredentialSpec cannot be an empty string')];
  return Buffer.byteLength(credentials) > limits.credentialsKibibytes * 1024
    ? [invalid(field, credentials, `gmsaCredentialSpec size must be under ${limits.credentialsKibibytes} KiB`)]
    : noErrors;
}

function userErrors(field: string, name: string): readonly FieldError[] {
  const wrong = (why: string): FieldError => invalid(field, name, `runAsUserName${why}`);
  if (name === '') return [wrong(' cannot be an empty string')];
  if (/\p{Cc}/u.test(name)) return [wrong(' cannot contain control characters')];
  const parts = name.split('\\');
  const [domain, user] = parts.length > 1 ? parts : [undefined, name];
  if (parts.length > 2) return [wrong(' cannot contain more than one backslash')];
  return [...domainFaults(domain), ...userFaults(user ?? '')].map(wrong);
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

function domainFaults(domain: string | undefined): readonly string[] {
  if (domain === undefined) return [];
  const isKnown = netBios.test(domain) || domain.split('.').every((label) => dnsLabel.test(label));
  return [
    ...(Buffer.byteLength(domain) >= limits.domain
      ? [`'s Domain length must be under ${limits.domain} characters`]
      : []),
    ...(isKnown ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

const shownCharacters = '"/\\:;|=,+*?<>@[]';

function userFaults(user: string): readonly string[] {
  const length = Buffer.byteLength(user);
  return [
    ...(length === 0 ? ["'s User cannot be empty"] : []),
    ...(length > limits.user ? [`'s User length must not be longer than ${limits.user} characters`] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? [`'s User cannot contain the following characters: ${shownCharacters}`]
      : []),
  ];
}

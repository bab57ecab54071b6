import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { isIpAddress } from '../../rules/fields/ip.ts';

/** Limits of resolv.conf. */
const limits = Object.freeze({ nameservers: 3, searches: 6, searchCharacters: 256 });

/** Checks the DNS configuration of a Pod. */
export function checkDns(field: string, spec: JsonObject): readonly FieldError[] {
  const alone = stringAt(spec, 'dnsPolicy') === 'None';
  if (!isSet(spec, 'dnsConfig')) {
    return alone ? [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')] : noErrors;
  }
  const config = objectAt(spec, 'dnsConfig');
  const [nameservers, searches] = [stringsAt(config, 'nameservers'), stringsAt(config, 'searches')];
  if (alone && nameservers.length === 0) {
    return [required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  return allErrors(
    nameservers.length > limits.nameservers
      ? [invalid(`${field}.nameservers`, nameservers, `must not have more than ${limits.nameservers} nameservers`)]
      : noErrors,
    checkEach(`${field}.nameservers`, nameservers, (ip, path) =>
      isIpAddress(ip) ? noErrors : [invalid(path, ip, 'must be valid IP address')],
    ),
    searchErrors(`${field}.searches`, searches),
    checkEach(`${field}.options`, objectsAt(config, 'options'), (option, path) =>
      stringAt(option, 'name') === '' ? [required(path, 'must not be empty')] : noErrors,
    ),
  );
}

function searchErrors(field: string, searches: readonly string[]): readonly FieldError[] {
  const characters = searches.join(' ').length;
  return allErrors(
    searches.length > limits.searches
      ? [invalid(field, searches, `must not have more than ${limits.searches} search paths`)]
      : noErrors,
    characters > limits.searchCharacters
      ? [
          invalid(
            field,
            searches,
            `must not have more than ${limits.searchCharacters} characters (including spaces) in the search list`,
          ),
        ]
      : noErrors,
    checkEach(field, searches, (search, path) => checkString(path, search.replace(/\.$/, ''), validateDnsSubdomain)),
  );
}

/** Checks the host aliases of a Pod. */
export function checkHostAliases(field: string, spec: JsonObject): readonly FieldError[] {
  // Reported at the list, not at the item.
  return errorsOfEach(objectsAt(spec, 'hostAliases'), (alias) => {
    const ip = stringAt(alias, 'ip');
    return allErrors(
      isIpAddress(ip) ? noErrors : [invalid(`${field}.ip`, ip, 'must be valid IP address')],
      errorsOfEach(stringsAt(alias, 'hostnames'), (name) =>
        checkString(`${field}.hostnames`, name, validateDnsSubdomain),
      ),
    );
  });
}

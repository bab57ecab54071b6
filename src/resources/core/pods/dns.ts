import type { PodDNSConfig, PodSpec } from '../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { invalid } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';
import { isIpAddress } from '../../rules/fields/ip.ts';

/** Limits of resolv.conf. */
const limits = Object.freeze({ nameservers: 3, searches: 6, searchCharacters: 256 });

/** Checks the DNS configuration of a Pod. */
export function checkDns(spec: FieldCursor<PodSpec>): void {
  const isAlone = spec.value.dnsPolicy === 'None';
  const config = spec.at('dnsConfig');
  if (!config.isPresent()) {
    if (isAlone) config.reportRequired('must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  const nameservers = config.at('nameservers');
  const count = nameservers.value?.length ?? 0;
  if (isAlone && count === 0) {
    nameservers.reportRequired('must provide at least one DNS nameserver when `dnsPolicy` is None');
    return;
  }
  if (count > limits.nameservers) {
    nameservers.reportInvalid(`must not have more than ${limits.nameservers} nameservers`);
  }
  for (const ip of config.each('nameservers')) {
    if (!isIpAddress(ip.value)) ip.reportInvalid('must be valid IP address');
  }
  checkSearches(config);
  for (const option of config.each('options')) {
    if (!option.value.name) option.reportRequired('must not be empty');
  }
}

function checkSearches(config: FieldCursor<PodDNSConfig>): void {
  const searches = config.at('searches');
  const { value = [] } = searches;
  if (value.length > limits.searches) {
    searches.reportInvalid(`must not have more than ${limits.searches} search paths`);
  }
  if (value.join(' ').length > limits.searchCharacters) {
    const most = `${limits.searchCharacters} characters (including spaces)`;
    searches.reportInvalid(`must not have more than ${most} in the search list`);
  }
  for (const search of config.each('searches')) {
    const name = search.value.replace(/\.$/, '');
    search.report(...checkString(search.path, name, validateDnsSubdomain));
  }
}

/** Checks the host aliases of a Pod. Errors are reported at the list, not at the item. */
export function checkHostAliases(spec: FieldCursor<PodSpec>): void {
  const { path } = spec.at('hostAliases');
  for (const { value, errors } of spec.each('hostAliases')) {
    const { ip = '', hostnames = [] } = value;
    if (!isIpAddress(ip)) errors.push(invalid(`${path}.ip`, ip, 'must be valid IP address'));
    errors.push(...errorsOfEach(hostnames, (name) => checkString(`${path}.hostnames`, name, validateDnsSubdomain)));
  }
}

import type { PodDNSConfig, PodSpec } from '../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { isIpAddress } from '../../rules/fields/ip.ts';

/** The limits of resolv.conf, and the higher limits since release 1.28. */
const limits = Object.freeze({ nameservers: 3, searches: 6, searchCharacters: 256 });
const laterLimits = Object.freeze({ ...limits, searches: 32, searchCharacters: 2048 });

/** Checks the DNS configuration of a Pod. */
export function checkDns(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): void {
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
  checkSearches(config, emulated);
  for (const option of config.each('options')) {
    if (!option.value.name) option.reportRequired('must not be empty');
  }
}

function checkSearches(config: FieldCursor<PodDNSConfig>, emulated: EmulatedRelease): void {
  const searches = config.at('searches');
  const { value = [] } = searches;
  const most = isSince(emulated.release, '1.28') ? laterLimits : limits;
  if (value.length > most.searches) searches.reportInvalid(`must not have more than ${most.searches} search paths`);
  if (value.join(' ').length > most.searchCharacters) {
    const characters = `${most.searchCharacters} characters (including spaces)`;
    searches.reportInvalid(`must not have more than ${characters} in the search list`);
  }
  const isRelaxed = isSince(emulated.release, '1.32') && emulated.isFeatureEnabled('RelaxedDNSSearchValidation');
  for (const search of config.each('searches')) {
    if (isRelaxed && search.value === '.') continue;
    const name = search.value.replace(/\.$/, '');
    search.report(...checkString(search.path, name, isRelaxed ? validateSearch : validateDnsSubdomain));
  }
}

const searchLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const searchName = `${searchLabel}(\\.${searchLabel})*`;
const searchPattern = new RegExp(`^${searchName}$`);
const searchLimit = 253;

/** Checks a search domain; its labels may contain underscores. */
function validateSearch(name: string): readonly string[] {
  return [
    ...(name.length > searchLimit ? [`must be no more than ${searchLimit} characters`] : []),
    ...(searchPattern.test(name) ? [] : [searchMessage]),
  ];
}

const searchMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  `'${searchName}')`;

import { isIP } from 'node:net';
import {
  type NameRule,
  validateConfigKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegment,
  validatePortName,
  validateQualifiedName,
} from '../meta/validate-name.ts';
import type { StringFormat } from './model/schema.ts';

/** Validates a text against a format; returns error messages, none if it is valid. */
export function validateFormat(format: StringFormat, text: string): readonly string[] {
  return rules[format](text);
}

const rules: Readonly<Record<StringFormat, NameRule>> = Object.freeze({
  'dns-label': validateDnsLabel,
  'dns-1035-label': validateDns1035Label,
  'dns-subdomain': validateDnsSubdomain,
  'label-key': validateQualifiedName,
  'path-segment': validatePathSegment,
  'port-name': validatePortName,
  'config-key': validateConfigKey,
  ip: (text) =>
    isIP(text) && !text.includes('%') ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  cidr: (text) => (isCidr(text) ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24)']),
  uri: (text) => (URL.canParse(text) ? [] : ['must be a valid URL']),
});

function isCidr(text: string): boolean {
  const [address = '', length = '', ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%') || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return false;
  return Number(length) <= (version === 4 ? 32 : 128);
}

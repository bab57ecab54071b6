import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { goQuote } from '../../../status/go-quote.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkPortNumber } from '../fields/port.ts';

/** Checks the client configuration of a webhook: exactly one of URL and service. */
export function checkWebhookClient(path: string, client: JsonObject): FieldError[] {
  if (isSet(client, 'url') === isSet(client, 'service')) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return isSet(client, 'url')
    ? urlErrors(stringAt(client, 'url'), `${path}.url`)
    : serviceErrors(objectAt(client, 'service'), `${path}.service`);
}

/** The parts of a URL (RFC 3986, appendix B): scheme, authority, query, fragment. */
const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/;
const form = '; desired format: https://host[/path]';

function urlErrors(text: string, field: string): FieldError[] {
  const parts = urlPattern.exec(text);
  if (!parts || hasControls(text) || !/^(?:[^%]|%[0-9A-Fa-f]{2})*$/.test(text)) {
    return [required(field, `url must be a valid URL${form}`)];
  }
  const [, scheme = '', authority = '', query = '', fragment = ''] = parts;
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const port = /:[^\]]*$/.exec(host)?.[0] ?? '';
  if (!/^(?::\d*)?$/.test(port)) {
    const why = `parse ${goQuote(text)}: invalid port ${goQuote(port)} after host`;
    return [required(field, `url must be a valid URL: ${why}${form}`)];
  }
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${form}`)] : []),
    // The error does not show the URL, because user information may contain a password and Statuses
    // are logged.
    ...(at < 0 ? [] : [invalid(field, '', 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

function hasControls(text: string): boolean {
  return Array.from(text).some((character) => character <= ' ' || character === '\u007f');
}

const defaultPort = 443;

function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const port = numberAt(service, 'port') ?? defaultPort;
  return [
    ...(stringAt(service, 'name') === '' ? [required(`${path}.name`, 'service name is required')] : []),
    ...(stringAt(service, 'namespace') === '' ? [required(`${path}.namespace`, 'service namespace is required')] : []),
    ...checkPortNumber(`${path}.port`, port).map(() =>
      invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'),
    ),
    ...pathErrors(stringAt(service, 'path'), `${path}.path`),
  ];
}

/**
 * Checks the segments of a path: each is a DNS subdomain. Only the last one may be empty (a
 * trailing slash).
 */
function pathErrors(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")]),
    ...errorsOfEach(segments, (segment, index) =>
      segment === ''
        ? [invalid(field, path, `segment[${index}] may not be empty`)]
        : validateDnsSubdomain(segment).map((message) => invalid(field, path, `segment[${index}]: ${message}`)),
    ),
  ];
}

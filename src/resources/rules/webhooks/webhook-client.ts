import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkServicePort } from '../fields/port.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** Checks the client configuration of a webhook: exactly one of URL and service. */
export function checkWebhookClient(path: string, client: JsonObject): FieldError[] {
  if (isSet(client, 'url') === isSet(client, 'service')) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return isSet(client, 'url')
    ? checkWebhookUrl(`${path}.url`, stringAt(client, 'url'))
    : serviceErrors(objectAt(client, 'service'), `${path}.service`);
}

const defaultPort = 443;

function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const port = numberAt(service, 'port') ?? defaultPort;
  return [
    ...(stringAt(service, 'name') === '' ? [required(`${path}.name`, 'service name is required')] : []),
    ...(stringAt(service, 'namespace') === '' ? [required(`${path}.namespace`, 'service namespace is required')] : []),
    ...checkServicePort(`${path}.port`, port),
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

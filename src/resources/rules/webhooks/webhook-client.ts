import type { ServiceReference, WebhookClientConfig } from '../../../gen/stored/admissionregistration-v1.ts';
import { validateDns1035Label, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkString, repeatsOf } from '../fields/field-checks.ts';
import { checkServicePort } from '../fields/port.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** Checks the client configuration of a webhook: exactly one of URL and service. */
export function checkWebhookClient(client: FieldCursor<WebhookClientConfig>): void {
  const { url, service } = client.value;
  if ((url === undefined) === (service === undefined))
    client.reportRequired('exactly one of url or service is required');
  else if (url !== undefined) client.report(...checkWebhookUrl(`${client.path}.url`, url));
  else checkService(client.at('service'));
}

function checkService(service: FieldCursor<ServiceReference | undefined>): void {
  service.at('name').mustBeSet('service name is required');
  service.at('namespace').mustBeSet('service namespace is required');
  service.report(...checkServicePort(`${service.path}.port`, service.value?.port ?? 0));
  checkPath(service.at('path'));
}

/**
 * Checks the segments of a path: each is a DNS subdomain. Only the last one may be empty (a
 * trailing slash).
 */
function checkPath(path: FieldCursor<string | undefined>): void {
  const { value = '' } = path;
  if (value === '' || value === '/') return;
  if (value === '//') return path.reportInvalid('segment[0] may not be empty');
  if (!value.startsWith('/')) path.reportInvalid("must start with a '/'");
  for (const [index, segment] of value.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') path.reportInvalid(`segment[${index}] may not be empty`);
    else for (const message of validateDnsSubdomain(segment)) path.reportInvalid(`segment[${index}]: ${message}`);
  }
}

/** The versions of AdmissionReview and ConversionReview that this server can send. */
const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/**
 * Checks the review versions that a webhook accepts: at least one must be a version that this
 * server can send. Reports nothing if there are none: whether that is an error depends on the kind.
 */
export function checkReviewVersions(field: string, versions: readonly string[]): readonly FieldError[] {
  const repeats = repeatsOf(versions);
  return allErrors(
    errorsOfEach(versions, (one, index) =>
      repeats.has(index)
        ? [invalid(`${field}[${index}]`, one, 'duplicate version')]
        : checkString(`${field}[${index}]`, one, validateDns1035Label),
    ),
    versions.length === 0 || versions.some((one) => reviewVersions.includes(one))
      ? noErrors
      : [invalid(field, versions, `must include at least one of ${reviewVersions.join(', ')}`)],
  );
}

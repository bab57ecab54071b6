import type { JsonObject } from '../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../registry/strategy.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../status/field-error.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { checkEach, checkRequiredString } from './check.ts';
import { checkLabelSelector } from './labels.ts';
import { checkPortNumber } from './port.ts';

/** The strategy of both kinds of webhook configuration (spec 4.10). */
export const webhookConfigurationStrategy: Strategy = {
  generation: true,
  validate: (configuration, context) => {
    const seen = new Set<string>();
    return checkEach('webhooks', objectsAt(configuration, 'webhooks'), (webhook, path) => {
      const name = stringAt(webhook, 'name');
      // Names had to be unique from v1 on (spec 9.3).
      const repeated = seen.has(name) && context.version !== 'v1beta1' ? [duplicate(`${path}.name`, name)] : [];
      seen.add(name);
      return [...webhookErrors(webhook, path, context), ...repeated];
    });
  },
  allowUnconditionalUpdate: false,
};

const timeouts = { leastSeconds: 1, mostSeconds: 30 };

function webhookErrors(webhook: JsonObject, path: string, context: StrategyContext): FieldError[] {
  const seconds = numberAt(webhook, 'timeoutSeconds');
  const outside = seconds !== undefined && (seconds < timeouts.leastSeconds || seconds > timeouts.mostSeconds);
  return [
    ...checkRequiredString(`${path}.name`, stringAt(webhook, 'name'), qualifiedDomainMessages),
    ...sideEffectErrors(webhook, path, context),
    ...reviewVersionErrors(webhook, path, context),
    ...(outside
      ? [invalid(`${path}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      checkLabelSelector(`${path}.${name}`, objectAt(webhook, name)),
    ),
    ...checkEach(`${path}.rules`, objectsAt(webhook, 'rules'), ruleErrors),
    ...clientErrors(objectAt(webhook, 'clientConfig'), `${path}.clientConfig`),
  ];
}

/** A DNS name of at least three labels, so that webhooks of different owners never meet. */
function qualifiedDomainMessages(name: string): string[] {
  return [
    ...validateDnsSubdomain(name),
    ...(name.split('.').length < 3 ? ['should be a domain with at least three segments separated by dots'] : []),
  ];
}

function sideEffectErrors(webhook: JsonObject, path: string, { version }: StrategyContext): FieldError[] {
  const field = `${path}.sideEffects`;
  const allowed = version === 'v1beta1' ? ['None', 'NoneOnDryRun', 'Some', 'Unknown'] : ['None', 'NoneOnDryRun'];
  const value = stringAt(webhook, 'sideEffects');
  if (value === '') return [required(field, `must specify one of ${allowed.join(', ')}`)];
  return allowed.includes(value) ? [] : [notSupported(field, value, allowed)];
}

/** The versions of AdmissionReview that this server can send. */
const reviewVersions = ['v1', 'v1beta1'];

function reviewVersionErrors(webhook: JsonObject, path: string, { version }: StrategyContext): FieldError[] {
  const field = `${path}.admissionReviewVersions`;
  const versions = stringsAt(webhook, 'admissionReviewVersions');
  if (versions.length === 0) {
    return version === 'v1beta1' ? [] : [required(field, `must specify one of ${reviewVersions.join(', ')}`)];
  }
  return [
    ...versions.flatMap((one, index) =>
      versions.indexOf(one) < index ? [invalid(`${field}[${index}]`, one, 'duplicate version')] : [],
    ),
    ...(versions.some((one) => reviewVersions.includes(one))
      ? []
      : [invalid(field, [...versions], `must include at least one of ${reviewVersions.join(', ')}`)]),
  ];
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  return ['operations', 'apiGroups', 'apiVersions', 'resources'].flatMap((name) => {
    const values = stringsAt(rule, name);
    if (values.length === 0) return [required(`${path}.${name}`)];
    return values.length > 1 && values.includes('*') && name !== 'resources'
      ? [invalid(`${path}.${name}`, [...values], "if '*' is present, must not specify other values")]
      : [];
  });
}

function clientErrors(client: JsonObject, path: string): FieldError[] {
  if (isSet(client, 'url') === isSet(client, 'service')) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return [
    ...(isSet(client, 'url')
      ? urlErrors(stringAt(client, 'url'), `${path}.url`)
      : serviceErrors(objectAt(client, 'service'), `${path}.service`)),
    ...authorityErrors(stringAt(client, 'caBundle'), `${path}.caBundle`),
  ];
}

function urlErrors(text: string, field: string): FieldError[] {
  if (!URL.canParse(text)) return [required(field, 'url must be a valid URL')];
  const url = new URL(text);
  const example = 'desired format: https://host[/path]';
  return [
    ...(url.protocol === 'https:'
      ? []
      : [invalid(field, url.protocol, `'https' is the only allowed URL scheme; ${example}`)]),
    ...(url.username + url.password === '' ? [] : [invalid(field, '', 'user information is not permitted in the URL')]),
    ...(url.hash === '' ? [] : [invalid(field, url.hash, 'fragments are not permitted in the URL')]),
    ...(url.search === '' ? [] : [invalid(field, url.search, 'query parameters are not permitted in the URL')]),
  ];
}

const defaultPort = 443;

/** What does not begin as a certificate would only fail when the webhook is called. */
function authorityErrors(encoded: string, field: string): FieldError[] {
  if (encoded === '') return [];
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  return /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.test(text)
    ? []
    : [invalid(field, encoded, 'unable to load root certificates: unable to parse bytes as PEM block')];
}

function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const servicePath = stringAt(service, 'path');
  const port = numberAt(service, 'port') ?? defaultPort;
  return [
    ...(stringAt(service, 'name') === '' ? [required(`${path}.name`, 'service name is required')] : []),
    ...(stringAt(service, 'namespace') === '' ? [required(`${path}.namespace`, 'service namespace is required')] : []),
    ...checkPortNumber(`${path}.port`, port).map(() =>
      invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'),
    ),
    ...(servicePath !== '' && !servicePath.startsWith('/')
      ? [invalid(`${path}.path`, servicePath, "must start with a '/'")]
      : []),
    ...(servicePath.includes('//') ? [forbidden(`${path}.path`, 'segments may not be empty')] : []),
  ];
}

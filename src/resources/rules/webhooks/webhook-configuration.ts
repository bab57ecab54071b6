import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach } from '../fields/check.ts';
import { checkLabelSelector } from '../fields/labels.ts';
import { checkReviewVersions, reviewVersions } from './review-versions.ts';
import { checkWebhookClient } from './webhook-client.ts';

/**
 * The strategy of MutatingWebhookConfigurations and ValidatingWebhookConfigurations (spec 4.10).
 */
export const webhookConfigurationStrategy: Strategy = {
  plainFinalizers: true,
  generation: true,
  validate: (configuration, { version }, old) => {
    const strict = strictRules(version, old ? objectsAt(old, 'webhooks') : []);
    const seen = new Set<string>();
    return checkEach('webhooks', objectsAt(configuration, 'webhooks'), (webhook, path) => {
      const name = stringAt(webhook, 'name');
      // A missing name is reported by `webhookErrors`.
      const repeated = name !== '' && seen.has(name) && strict.names ? [duplicate(`${path}.name`, name)] : [];
      seen.add(name);
      return [...webhookErrors(webhook, path, strict), ...repeated];
    });
  },
  allowUnconditionalUpdate: false,
};

/** The rules that came with v1 (spec 9.3). */
interface StrictRules {
  /** Names are unique. */
  readonly names: boolean;
  /** Side effects are declared as none. */
  readonly sideEffects: boolean;
  /** The accepted reviews are declared. */
  readonly reviews: boolean;
}

/**
 * The rules for a write through a version: v1beta1 has none of them, and an update of a
 * configuration that breaks one may break it again.
 */
function strictRules(version: string, old: readonly JsonObject[]): StrictRules {
  const isStrict = version !== 'v1beta1';
  const names = old.map((webhook) => stringAt(webhook, 'name'));
  return {
    names: isStrict && new Set(names).size === names.length,
    sideEffects: isStrict && old.every((webhook) => withoutEffects.includes(stringAt(webhook, 'sideEffects'))),
    reviews: isStrict && old.every((webhook) => stringsAt(webhook, 'admissionReviewVersions').length > 0),
  };
}

function webhookErrors(webhook: JsonObject, path: string, strict: StrictRules): FieldError[] {
  return [
    ...nameErrors(`${path}.name`, stringAt(webhook, 'name')),
    ...checkEach(`${path}.rules`, objectsAt(webhook, 'rules'), ruleErrors),
    ...sideEffectErrors(webhook, path, strict),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      checkLabelSelector(`${path}.${name}`, objectAt(webhook, name)),
    ),
    ...checkWebhookClient(`${path}.clientConfig`, objectAt(webhook, 'clientConfig')),
    ...reviewVersionErrors(webhook, path, strict),
  ];
}

/**
 * Checks the name of a webhook: a DNS name of at least three labels, so that names of different
 * owners differ.
 */
function nameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const messages = validateDnsSubdomain(name);
  if (messages.length > 0) return [invalid(field, name, messages.join(','))];
  return name.split('.').length < 3
    ? [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

const withoutEffects: readonly string[] = ['None', 'NoneOnDryRun'];

function sideEffectErrors(webhook: JsonObject, path: string, { sideEffects }: StrictRules): FieldError[] {
  const field = `${path}.sideEffects`;
  const allowed = sideEffects ? withoutEffects : [...withoutEffects, 'Some', 'Unknown'];
  const value = stringAt(webhook, 'sideEffects');
  if (!isSet(webhook, 'sideEffects')) return [required(field, `must specify one of ${allowed.join(', ')}`)];
  return allowed.includes(value) ? [] : [notSupported(field, value, allowed)];
}

function reviewVersionErrors(webhook: JsonObject, path: string, { reviews }: StrictRules): readonly FieldError[] {
  const versions = stringsAt(webhook, 'admissionReviewVersions');
  if (versions.length === 0 && !reviews) return [];
  const missing = `must specify one of ${reviewVersions.join(', ')}`;
  return checkReviewVersions(`${path}.admissionReviewVersions`, versions, missing);
}

/** The lists of a rule, and how messages name their items. */
const ruleLists = [
  ['operations', 'operations'],
  ['apiGroups', 'API groups'],
  ['apiVersions', 'API versions'],
] as const;

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  return [
    ...ruleLists.flatMap(([name, items]) => listErrors(`${path}.${name}`, stringsAt(rule, name), items)),
    ...errorsOfEach(stringsAt(rule, 'apiVersions'), (version, index) =>
      version === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resourceErrors(`${path}.resources`, stringsAt(rule, 'resources')),
  ];
}

function listErrors(field: string, values: readonly string[], items: string): FieldError[] {
  if (values.length === 0) return [required(field)];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, values, `if '*' is present, must not specify other ${items}`)]
    : [];
}

/** Checks the resources of a rule: no entry may be covered by another one with a wildcard. */
function resourceErrors(field: string, resources: readonly string[]): readonly FieldError[] {
  // The last one decides, as in kube-apiserver.
  const plain = resources.findLast((one) => one !== '' && !one.includes('/')) ?? '*';
  const earlier = new Set<string>();
  return [
    ...(resources.length === 0 ? [required(field)] : []),
    ...errorsOfEach(resources, (one, index) => {
      const errors = oneResourceErrors(`${field}[${index}]`, one, earlier);
      earlier.add(one);
      return errors;
    }),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalid(field, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(resources.includes('*') && plain !== '*'
      ? [invalid(field, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

function oneResourceErrors(field: string, one: string, earlier: ReadonlySet<string>): FieldError[] {
  if (one === '') return [required(field)];
  const slash = one.indexOf('/');
  if (slash < 0) return [];
  const stars = [`${one.slice(0, slash)}/*`, `*/${one.slice(slash + 1)}`];
  return stars
    .filter((star) => earlier.has(star))
    .map((star) => invalid(field, one, `if '${star}' is present, must not specify ${one}`));
}

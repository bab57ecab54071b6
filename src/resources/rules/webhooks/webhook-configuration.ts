import type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../../gen/stored/admissionregistration-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { compileConditions } from '../../../admission/expressions/compile-conditions.ts';
import { pacer } from '../../../admission/expressions/pacer.ts';
import { type MaybeAsync, runMaybeAsync } from '../../../async/maybe-promise.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { environmentsOf } from '../expressions/expression-environments.ts';
import { conditionErrors } from '../expressions/expression-errors.ts';
import { checkMatchConditions, withTrimmedConditions } from '../expressions/check-match-conditions.ts';
import { checkLabelSelector } from '../fields/labels.ts';
import { checkAdmissionRule } from './check-admission-rule.ts';
import { checkReviewVersions, checkWebhookClient } from './webhook-client.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, integerColumn, nameColumn } from '../../columns/column.ts';

const columns: readonly Column<{ readonly webhooks?: readonly unknown[] }>[] = [
  nameColumn,
  integerColumn('Webhooks', 'Number of webhooks in the configuration.', ({ webhooks = [] }) => webhooks.length),
  ageColumn,
];

const strategy: Strategy<ValidatingWebhookConfiguration> = {
  plainFinalizers: true,
  generation: true,
  validate: (configuration, { version }, old) => {
    const cursor = new FieldCursor(configuration);
    const strict = strictRules(version, old?.webhooks ?? []);
    const areKept = old !== undefined && hasSameConditions(configuration, old);
    const names = new Set<string>();
    for (const webhook of cursor.each('webhooks')) {
      checkWebhook(webhook, strict);
      if (!areKept) checkMatchConditions(webhook.at('matchConditions'));
      if (strict.names) webhook.at('name').mustBeUnique(names);
    }
    return cursor.errors;
  },
  validateRules: (object, { old, release }) =>
    runMaybeAsync(
      conditionProblems(
        object as ValidatingWebhookConfiguration,
        old as ValidatingWebhookConfiguration | undefined,
        release,
      ),
    ),
  allowUnconditionalUpdate: false,
};

/** The parts of MutatingWebhookConfigurations and ValidatingWebhookConfigurations (spec 4.10). */
export const webhookConfiguration = {
  versions: {
    v1: { introduced: '1.16' },
    v1beta1: { introduced: '1.9', deprecated: { since: '1.16', removed: '1.22', replacement: 'v1' } },
  },
  categories: ['api-extensions'],
  columns,
  strategy,
};

/** True if match conditions are unchanged: stored conditions stay valid then. */
function hasSameConditions(
  { webhooks = [] }: ValidatingWebhookConfiguration,
  { webhooks: old = [] }: ValidatingWebhookConfiguration,
): boolean {
  return (
    webhooks.length === old.length &&
    webhooks.every(({ matchConditions }, index) => sameValue(matchConditions, old[index]?.matchConditions))
  );
}

/** Compiles the match conditions of all webhooks and returns their errors. */
function* conditionProblems(
  configuration: ValidatingWebhookConfiguration,
  old: ValidatingWebhookConfiguration | undefined,
  release: string,
): MaybeAsync<void, readonly FieldError[]> {
  if (old && hasSameConditions(configuration, old)) return noErrors;
  const rest = pacer();
  const environmentOf = environmentsOf(release, old?.webhooks);
  const errors: FieldError[] = [];
  for (const [index, webhook] of (configuration.webhooks ?? []).entries()) {
    const { matchConditions = [] } = withTrimmedConditions(webhook);
    const compiled = yield* compileConditions(matchConditions, { environmentOf, rest });
    errors.push(...conditionErrors(`webhooks[${index}].matchConditions`, compiled));
  }
  return errors;
}

/** The rules that came with v1 (spec 9.3). */
interface StrictRules {
  /** Names are unique. */
  readonly names: boolean;
  /** Side effects are declared as none. */
  readonly sideEffects: boolean;
}

/**
 * The rules for a write through a version: v1beta1 has none of them, and an update of a
 * configuration that breaks one may break it again.
 */
function strictRules(version: string, old: readonly ValidatingWebhook[]): StrictRules {
  const isStrict = version !== 'v1beta1';
  return {
    names: isStrict && new Set(old.map(({ name }) => name)).size === old.length,
    sideEffects: isStrict && old.every(({ sideEffects }) => withoutEffects.includes(sideEffects ?? '')),
  };
}

function checkWebhook(webhook: FieldCursor<ValidatingWebhook>, strict: StrictRules): void {
  const { namespaceSelector, objectSelector, admissionReviewVersions } = webhook.value;
  checkName(webhook.at('name'));
  for (const rule of webhook.each('rules')) checkAdmissionRule(rule);
  checkSideEffects(webhook.at('sideEffects'), strict);
  checkWebhookClient(webhook.at('clientConfig'));
  webhook.report(
    ...checkLabelSelector(`${webhook.path}.namespaceSelector`, namespaceSelector),
    ...checkLabelSelector(`${webhook.path}.objectSelector`, objectSelector),
    ...checkReviewVersions(`${webhook.path}.admissionReviewVersions`, admissionReviewVersions ?? []),
  );
}

/**
 * Checks the name of a webhook: a DNS name of at least three labels, so that names of different
 * owners differ.
 */
function checkName(name: FieldCursor<string>): void {
  if (!name.isSet) return;
  const messages = validateDnsSubdomain(name.value);
  if (messages.length > 0) name.reportInvalid(messages.join(','));
  else if (name.value.split('.').length < 3) {
    name.reportInvalid('should be a domain with at least three segments separated by dots');
  }
}

const withoutEffects: readonly string[] = ['None', 'NoneOnDryRun'];

function checkSideEffects(effects: FieldCursor<string | undefined>, { sideEffects }: StrictRules): void {
  const allowed = sideEffects ? withoutEffects : [...withoutEffects, 'Some', 'Unknown'];
  if (effects.value === undefined) effects.reportRequired(`must specify one of ${allowed.join(', ')}`);
  else if (!allowed.includes(effects.value)) effects.report(notSupported(effects.path, effects.value, allowed));
}

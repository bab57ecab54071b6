import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../gen/stored/apiextensions-v1.ts';
import { validateDns1035Label, validateDnsSubdomain } from '../../meta/validate-name.ts';
import { isSince } from '../../scheme/api-release.ts';
import { fieldsRelease } from '../../scheme/emulated-release.ts';
import type { StrategyContext } from '../../registry/definition/strategy.ts';
import { checkString } from '../../resources/rules/fields/field-checks.ts';
import { checkImmutable } from '../../resources/rules/fields/immutable.ts';
import { checkReviewVersions, checkWebhookClient } from '../../resources/rules/webhooks/webhook-client.ts';
import { FieldCursor } from '../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { approvalErrors } from './with-approval.ts';
import { isConditionTrue } from './definition-condition.ts';
import { rulesOfV1, usesDefaults } from './schema-rules.ts';
import { partsOfVersions } from './spec-parts.ts';
import { checkSpecParts } from './version-parts.ts';

/** All errors of a CustomResourceDefinition that do not need a compiled schema. */
export function validateDefinition(
  crd: CustomResourceDefinition,
  context: StrategyContext,
  old?: CustomResourceDefinition,
): FieldError[] {
  const spec = new FieldCursor(crd).at('spec');
  checkGroup(spec.at('group'));
  checkVersions(spec);
  // v1beta1 has rules of its own for these, which see the request.
  if (context.version !== 'v1beta1') checkRulesOfV1(spec, old?.spec, fieldsRelease(context.emulated));
  checkNames(spec.at('names'));
  checkConversion(spec);
  spec.report(...storedErrors(crd));
  return spec.errors;
}

/** Checks that the name of a new definition is made of its names, which are immutable. */
export function validateDefinitionName(name: string, { spec }: CustomResourceDefinition): readonly string[] {
  return name === `${spec.names.plural}.${spec.group}` ? [] : ['must be spec.names.plural+"."+spec.group'];
}

/** Checks the group: a DNS subdomain. A missing dot is reported only if the rest is valid. */
function checkGroup(group: FieldCursor<string>): void {
  group.mustBe(validateDnsSubdomain);
  if (group.isSet && group.errors.length === 0 && !group.value.includes('.')) {
    group.reportInvalid('should be a domain with at least one dot');
  }
}

function checkVersions(spec: FieldCursor<CustomResourceDefinitionSpec>): void {
  const versions = spec.value.versions ?? [];
  for (const version of spec.each('versions')) {
    version.report(...checkString(`${version.path}.name`, version.value.name, validateDns1035Label));
    checkDeprecation(version);
  }
  const all = spec.at('versions');
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    all.reportInvalid('must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    all.reportInvalid('must have exactly one version marked as storage version', versions);
  }
}

/** Maximum length of a warning, which is sent as a header. */
const warningLimitBytes = 256;

/** Checks the deprecation warning of a version. */
function checkDeprecation(version: FieldCursor<CustomResourceDefinitionVersion>): void {
  const warning = version.at('deprecationWarning');
  const { value: text } = warning;
  if (text === undefined) return;
  if (!version.value.deprecated) return warning.reportInvalid('can only be set for deprecated versions');
  if (text === '') return warning.reportInvalid('must not be an empty string');
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  if (Buffer.byteLength(text) > warningLimitBytes) {
    warning.reportInvalid(`must be <= ${warningLimitBytes} characters long`);
  } else if (hidden) {
    const index = Buffer.byteLength(text.slice(0, hidden.index));
    const found = `non-printable character found at index ${index}`;
    warning.reportInvalid(`must only contain printable UTF-8 characters; ${found}`);
  }
}

/** Checks the rules of v1 (spec 9.3). An update may break the rules that `old` breaks. */
function checkRulesOfV1(
  spec: FieldCursor<CustomResourceDefinitionSpec>,
  old: CustomResourceDefinitionSpec | undefined,
  release: string,
): void {
  const { versions, preserveUnknownFields } = spec.value;
  const parts = partsOfVersions(versions ?? []);
  if (preserveUnknownFields && usesDefaults(parts)) {
    spec.at('preserveUnknownFields').reportInvalid('must be false in order to use defaults in the schema');
  }
  checkSchemasPresent(spec, old, release);
  // The first version is also checked as `spec.version`, the field that v1beta1 has for it.
  new FieldCursor(versions?.[0]?.name, 'version', spec).mustBe(validateDns1035Label);
  spec.report(
    ...checkSpecParts(parts, {
      ...rulesOfV1(spec.value, parts, old),
      ...(isSince(release, '1.24') ? { isDetailed: true } : {}),
    }),
  );
}

/** v1 requires a schema in each version, unless the definition was stored without one. */
function checkSchemasPresent(
  spec: FieldCursor<CustomResourceDefinitionSpec>,
  old: CustomResourceDefinitionSpec | undefined,
  release: string,
): void {
  const all = !old || (old.versions ?? []).every(hasSchema);
  if (!all && spec.value.preserveUnknownFields) return;
  for (const version of spec.each('versions')) {
    if (hasSchema(version.value) || !(all || version.value.served)) continue;
    const why = all ? schemaWanted(release) : 'because otherwise all fields are pruned';
    version.report(required(`${version.path}.schema.openAPIV3Schema`, why));
  }
}

/** The detail of the error of a missing schema, which is '' since 1.34. */
function schemaWanted(release: string): string {
  return isSince(release, '1.34') ? '' : 'schemas are required';
}

function hasSchema({ schema }: CustomResourceDefinitionVersion): boolean {
  return schema?.openAPIV3Schema !== undefined;
}

function checkNames(names: FieldCursor<CustomResourceDefinitionNames>): void {
  const { kind, listKind } = names.value;
  for (const name of ['plural', 'singular'] as const) {
    names.at(name).mustBeSet();
    names.at(name).mustBe(validateDns1035Label);
  }
  for (const name of ['kind', 'listKind'] as const) {
    names.at(name).mustBeSet();
    names.at(name).mustBe(kindMessages);
  }
  if (kind !== '' && kind === listKind) names.at('listKind').reportInvalid('kind and listKind may not be the same');
  for (const list of ['shortNames', 'categories'] as const) {
    for (const name of names.each(list)) name.report(...checkString(name.path, name.value, validateDns1035Label));
  }
}

function kindMessages(kind: string): readonly string[] {
  const messages = validateDns1035Label(kind.toLowerCase());
  return messages.map((message) => `may have mixed case, but should otherwise match: ${message}`);
}

function checkConversion(spec: FieldCursor<CustomResourceDefinitionSpec>): void {
  const conversion = spec.at('conversion');
  const strategy = conversion.at('strategy');
  if (spec.value.preserveUnknownFields && strategy.value !== 'None') {
    strategy.reportInvalid('must be None if spec.preserveUnknownFields is true');
    // This error hides the errors of the schema for the field.
    strategy.mustBeSet();
    strategy.mustBeOneOf(['None', 'Webhook']);
  }
  checkWebhook(conversion);
}

/** Checks the webhook. kube-apiserver reports its errors at the fields of v1beta1. */
function checkWebhook(conversion: FieldCursor<CustomResourceConversion>): void {
  const { strategy, webhook } = conversion.value;
  const client = new FieldCursor(webhook?.clientConfig, 'webhookClientConfig', conversion);
  const reviews = `${conversion.path}.conversionReviewVersions`;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (client.value) client.reportForbidden(why);
    if (versions.length > 0) conversion.report(forbidden(reviews, why));
    return;
  }
  if (webhook?.clientConfig)
    checkWebhookClient(new FieldCursor(webhook.clientConfig, 'webhookClientConfig', conversion));
  else client.reportRequired('required when strategy is set to Webhook');
  if (versions.length === 0) conversion.report(required(reviews));
  else conversion.report(...checkReviewVersions(reviews, versions));
}

/** Checks that `status.storedVersions` has the storage version. */
function storedErrors({ spec, status: { storedVersions = [] } }: CustomResourceDefinition): FieldError[] {
  const field = 'status.storedVersions';
  if (storedVersions.length === 0) return [invalid(field, [], 'must have at least one stored version')];
  return (spec.versions ?? [])
    .filter(({ storage, name }) => storage && !storedVersions.includes(name))
    .map((version) => invalid(field, version, `must have the storage version ${version.name}`));
}

/** The errors of a new definition: its approval, and `preserveUnknownFields`. */
export function validateNewDefinition(crd: CustomResourceDefinition, context: StrategyContext): FieldError[] {
  const approval = context.version === 'v1' ? approvalErrors(crd, undefined, context.identifiers) : [];
  return [...approval, ...preservationErrors(crd.spec, context)];
}

/**
 * Refuses `preserveUnknownFields` in v1, whose schemas have an extension for it. A definition that
 * was made with it through v1beta1 may keep it (spec 9.3).
 */
function preservationErrors(
  { preserveUnknownFields }: CustomResourceDefinitionSpec,
  { version, identifiers }: StrategyContext,
): FieldError[] {
  if (version !== 'v1' || !preserveUnknownFields) return [];
  const extension = `${identifiers.schemaExtensionPrefix}preserve-unknown-fields`;
  const why = `cannot set to true, set ${extension} to true in spec.versions[*].schema instead`;
  return [invalid('spec.preserveUnknownFields', true, why)];
}

/** The errors of an update: changes of immutable fields, and removal of stored versions. */
export function validateDefinitionUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  context: StrategyContext,
): FieldError[] {
  const { scope, group, names, versions } = crd.spec;
  const { storedVersions = [] } = old.status;
  return [
    // Stored objects depend on these, once there can be any.
    ...(isConditionTrue(old, 'Established')
      ? [
          ...checkImmutable('spec.scope', scope, old.spec.scope),
          ...checkImmutable('spec.names.kind', names.kind, old.spec.names.kind),
        ]
      : []),
    // The name of a definition depends on these.
    ...checkImmutable('spec.group', group, old.spec.group),
    ...checkImmutable('spec.names.plural', names.plural, old.spec.names.plural),
    ...(context.version === 'v1' ? approvalErrors(crd, old, context.identifiers) : []),
    ...(old.spec.preserveUnknownFields ? [] : preservationErrors(crd.spec, context)),
    ...storedVersions.flatMap((version, index) =>
      versions?.some(({ name }) => name === version)
        ? []
        : [invalid(`status.storedVersions[${index}]`, version, 'must appear in spec.versions')],
    ),
  ];
}

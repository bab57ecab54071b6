import type { WebhookConversion } from '../../gen/stored/apiextensions-v1.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { validateDns1035Label, validateDnsSubdomain } from '../../meta/validate-name.ts';
import type { StrategyContext } from '../../registry/definition/strategy.ts';
import { FieldCursor } from '../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../status/field-error.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { checkEach, checkRequiredString, checkString } from '../../resources/rules/fields/check.ts';
import { checkReviewVersions, checkWebhookClient } from '../../resources/rules/webhooks/webhook-client.ts';
import { checkImmutable } from '../../resources/rules/fields/immutable.ts';
import { approvalErrors } from './approval.ts';
import { isConditionTrue } from './conditions.ts';
import { rulesOfV1, usesDefaults } from './schema-rules.ts';
import { partsOfVersions } from './spec-parts.ts';
import { checkSpecParts } from './version-parts.ts';

/** All errors of a CustomResourceDefinition that do not need a compiled schema. */
export function validateDefinition(crd: JsonObject, context: StrategyContext, old?: JsonObject): FieldError[] {
  const spec = objectAt(crd, 'spec');
  const group = stringAt(spec, 'group');
  return [
    ...groupErrors(group),
    ...scopeErrors(stringAt(spec, 'scope')),
    ...versionErrors(spec),
    // v1beta1 has rules of its own for these, which see the request.
    ...(context.version === 'v1beta1' ? noErrors : v1Errors(spec, old && objectAt(old, 'spec'))),
    ...nameListErrors(objectAt(spec, 'names'), 'spec.names'),
    ...conversionErrors(spec),
    ...storedErrors(spec, stringsAt(objectAt(crd, 'status'), 'storedVersions')),
  ];
}

/** Checks that the name of a new definition is made of its names, which are immutable. */
export function validateDefinitionName(name: string, crd: JsonObject): readonly string[] {
  const spec = objectAt(crd, 'spec');
  const expected = `${stringAt(objectAt(spec, 'names'), 'plural')}.${stringAt(spec, 'group')}`;
  return name === expected ? [] : ['must be spec.names.plural+"."+spec.group'];
}

const scopes = ['Cluster', 'Namespaced'];

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function versionErrors(spec: JsonObject): FieldError[] {
  const versions = objectsAt(spec, 'versions');
  const names = versions.map((version) => stringAt(version, 'name'));
  const stored = versions.filter((version) => isTrue(version, 'storage'));
  return [
    ...errorsOfEach(versions, (version, index) => [
      ...checkString(`spec.versions[${index}].name`, names[index] ?? '', validateDns1035Label),
      ...deprecationErrors(version, `spec.versions[${index}].deprecationWarning`),
    ]),
    ...(new Set(names).size === names.length
      ? []
      : [invalid('spec.versions', versions, 'must contain unique version names')]),
    ...(stored.length === 1
      ? []
      : [invalid('spec.versions', versions, 'must have exactly one version marked as storage version')]),
  ];
}

/** The rules of v1 (spec 9.3). What `oldSpec` breaks, an update may break too. */
function v1Errors(spec: JsonObject, oldSpec: JsonObject | undefined): readonly FieldError[] {
  const first = stringAt(objectsAt(spec, 'versions')[0] ?? {}, 'name');
  const parts = partsOfVersions(spec);
  const keeps = isTrue(spec, 'preserveUnknownFields');
  return allErrors(
    keeps && usesDefaults(parts)
      ? [invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
      : noErrors,
    missingSchemaErrors(spec, oldSpec),
    // The first version is also checked as `spec.version`, the field that v1beta1 has for it.
    first === '' ? noErrors : checkString('spec.version', first, validateDns1035Label),
    checkSpecParts(parts, rulesOfV1(spec, parts, oldSpec)),
  );
}

/** v1 requires a schema in each version, unless the definition was stored without one. */
function missingSchemaErrors(spec: JsonObject, oldSpec: JsonObject | undefined): readonly FieldError[] {
  const all = !oldSpec || objectsAt(oldSpec, 'versions').every(hasSchema);
  if (!all && isTrue(spec, 'preserveUnknownFields')) return noErrors;
  return errorsOfEach(objectsAt(spec, 'versions'), (version, index) =>
    hasSchema(version) || !(all || isTrue(version, 'served'))
      ? noErrors
      : [
          required(
            `spec.versions[${index}].schema.openAPIV3Schema`,
            all ? 'schemas are required' : 'because otherwise all fields are pruned',
          ),
        ],
  );
}

function hasSchema(version: JsonObject): boolean {
  return isSet(objectAt(version, 'schema'), 'openAPIV3Schema');
}

/** Checks the group: a DNS subdomain. A missing dot is reported only if the rest is valid. */
function groupErrors(group: string): readonly FieldError[] {
  const errors = checkRequiredString('spec.group', group, validateDnsSubdomain);
  if (errors.length > 0 || group.includes('.')) return errors;
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

/** Checks the deprecation warning of a version. */
function deprecationErrors(version: JsonObject, field: string): FieldError[] {
  if (!isSet(version, 'deprecationWarning')) return [];
  const warning = stringAt(version, 'deprecationWarning');
  const empty = warning === '' ? [invalid(field, warning, 'must not be an empty string')] : [];
  return isTrue(version, 'deprecated')
    ? [...empty, ...warningTextErrors(field, warning)]
    : [invalid(field, warning, 'can only be set for deprecated versions')];
}

/** Maximum length of a warning, which is sent as a header. */
const warningLimitBytes = 256;

function warningTextErrors(field: string, warning: string): FieldError[] {
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (Buffer.byteLength(warning) > warningLimitBytes) {
    return [invalid(field, warning, `must be <= ${warningLimitBytes} characters long`)];
  }
  return hidden
    ? [
        invalid(
          field,
          warning,
          `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(warning.slice(0, hidden.index))}`,
        ),
      ]
    : [];
}

/** Checks that `status.storedVersions` has the storage version. */
function storedErrors(spec: JsonObject, stored: readonly string[]): FieldError[] {
  const field = 'status.storedVersions';
  if (stored.length === 0) return [invalid(field, [], 'must have at least one stored version')];
  return objectsAt(spec, 'versions')
    .filter((version) => isTrue(version, 'storage') && !stored.includes(stringAt(version, 'name')))
    .map((version) => invalid(field, version, `must have the storage version ${stringAt(version, 'name')}`));
}

function nameListErrors(names: JsonObject, path: string): FieldError[] {
  const kinds = ['kind', 'listKind'] as const;
  return [
    ...checkRequiredString(`${path}.plural`, stringAt(names, 'plural'), validateDns1035Label),
    ...checkRequiredString(`${path}.singular`, stringAt(names, 'singular'), validateDns1035Label),
    ...kinds.flatMap((name) =>
      checkRequiredString(`${path}.${name}`, stringAt(names, name), (kind) =>
        validateDns1035Label(kind.toLowerCase()).map(
          (message) => `may have mixed case, but should otherwise match: ${message}`,
        ),
      ),
    ),
    ...(stringAt(names, 'kind') !== '' && stringAt(names, 'kind') === stringAt(names, 'listKind')
      ? [invalid(`${path}.listKind`, stringAt(names, 'listKind'), 'kind and listKind may not be the same')]
      : []),
    ...['shortNames', 'categories'].flatMap((list) =>
      checkEach(`${path}.${list}`, stringsAt(names, list), (name, at) => checkString(at, name, validateDns1035Label)),
    ),
  ];
}

const conversionStrategies = ['None', 'Webhook'];

function conversionErrors(spec: JsonObject): FieldError[] {
  const [path, strategy] = ['spec.conversion', stringAt(objectAt(spec, 'conversion'), 'strategy')];
  const isLossy = isTrue(spec, 'preserveUnknownFields') && strategy !== 'None';
  return [
    ...(isLossy ? [invalid(`${path}.strategy`, strategy, 'must be None if spec.preserveUnknownFields is true')] : []),
    ...strategyErrors(objectAt(spec, 'conversion'), strategy, path),
  ];
}

function strategyErrors(conversion: JsonObject, strategy: string, path: string): readonly FieldError[] {
  const webhook = objectAt(conversion, 'webhook');
  // kube-apiserver reports these errors at the fields of v1beta1.
  const client = `${path}.webhookClientConfig`;
  const reviews = `${path}.conversionReviewVersions`;
  const versions = stringsAt(webhook, 'conversionReviewVersions');
  if (strategy === 'Webhook') {
    const { clientConfig } = webhook as unknown as WebhookConversion;
    const cursor = new FieldCursor(clientConfig ?? {}, client);
    if (clientConfig) checkWebhookClient(cursor);
    else cursor.reportRequired('required when strategy is set to Webhook');
    return allErrors(
      cursor.errors,
      versions.length === 0 ? [required(reviews)] : checkReviewVersions(reviews, versions),
    );
  }
  const why = 'should not be set when strategy is not set to Webhook';
  return [
    ...(strategy === '' ? [required(`${path}.strategy`)] : []),
    ...(strategy === '' || strategy === 'None'
      ? []
      : [notSupported(`${path}.strategy`, strategy, conversionStrategies)]),
    ...(isSet(webhook, 'clientConfig') ? [forbidden(client, why)] : []),
    ...(versions.length > 0 ? [forbidden(reviews, why)] : []),
  ];
}

/** The errors of a new definition: its approval, and `preserveUnknownFields`. */
export function validateNewDefinition(crd: JsonObject, context: StrategyContext): FieldError[] {
  const approval = context.version === 'v1' ? approvalErrors(crd, undefined, context.identifiers) : [];
  return [...approval, ...preservationErrors(crd, context)];
}

/**
 * Refuses `preserveUnknownFields` in v1, whose schemas have an extension for it. A definition that
 * was made with it through v1beta1 may keep it (spec 9.3).
 */
function preservationErrors(crd: JsonObject, { version, identifiers }: StrategyContext): FieldError[] {
  if (version !== 'v1' || !isTrue(objectAt(crd, 'spec'), 'preserveUnknownFields')) return [];
  const extension = `${identifiers.schemaExtensionPrefix}preserve-unknown-fields`;
  const why = `cannot set to true, set ${extension} to true in spec.versions[*].schema instead`;
  return [invalid('spec.preserveUnknownFields', true, why)];
}

/** Fields on which stored objects depend: immutable once there can be any. */
const fixedWhenEstablished = [['scope'], ['names', 'kind']];
/** Fields on which the name of a definition depends. */
const fixedAlways = [['group'], ['names', 'plural']];

function valueAt(spec: JsonObject, path: readonly string[]): JsonValue | undefined {
  const parent = path.slice(0, -1).reduce((object, name) => objectAt(object, name), spec);
  return getOwn(parent, path.at(-1) ?? '');
}

/** The errors of an update: changes of immutable fields, and removal of stored versions. */
export function validateDefinitionUpdate(crd: JsonObject, old: JsonObject, context: StrategyContext): FieldError[] {
  const [spec, oldSpec] = [objectAt(crd, 'spec'), objectAt(old, 'spec')];
  const present = new Set(objectsAt(spec, 'versions').map((version) => stringAt(version, 'name')));
  const stored = stringsAt(objectAt(old, 'status'), 'storedVersions');
  const fixed = [...(isConditionTrue(old, 'Established') ? fixedWhenEstablished : []), ...fixedAlways];
  return [
    ...fixed.flatMap((path) => checkImmutable(`spec.${path.join('.')}`, valueAt(spec, path), valueAt(oldSpec, path))),
    ...(context.version === 'v1' ? approvalErrors(crd, old, context.identifiers) : []),
    ...(isTrue(oldSpec, 'preserveUnknownFields') ? [] : preservationErrors(crd, context)),
    ...stored.flatMap((version, index) =>
      present.has(version) ? [] : [invalid(`status.storedVersions[${index}]`, version, 'must appear in spec.versions')],
    ),
  ];
}

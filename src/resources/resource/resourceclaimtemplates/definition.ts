import type { ResourceClaimTemplate } from '../../../gen/stored/resource-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { labelsOf } from '../../../meta/object-meta.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateAnnotations } from '../../../registry/definition/validate-metadata.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn } from '../../columns/column.ts';
import { checkDeviceClaim } from '../../rules/devices/check-device-claim.ts';
import { defaultDeviceClaim } from '../../rules/devices/claim-defaults.ts';
import { checkExpressions, expressionsOfClaim } from '../../rules/devices/expressions.ts';
import { olderClaims } from '../../rules/devices/older-claims.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { deviceVersions } from '../device-versions.ts';

const sameSpec = sameMessage('api.resource.v1.ResourceClaimTemplateSpec');

/** The metadata fields that a template may set. */
const templateFields: ReadonlySet<string> = new Set(['labels', 'annotations']);

/** Checks that the metadata of a template has only labels and annotations. */
function metadataErrors(metadata: JsonObject): readonly FieldError[] {
  const field = 'spec.metadata';
  const stray = Object.entries(metadata).filter(([name, value]) => value !== null && !templateFields.has(name));
  return [
    ...validateAnnotations({ metadata }, `${field}.annotations`),
    ...checkLabels(`${field}.labels`, labelsOf({ metadata })),
    ...stray.map(([name]) => forbidden(`${field}.${name}`, 'cannot be set')),
  ];
}

/** The strategy of ResourceClaimTemplates. The spec is immutable. */
const strategy: Strategy<ResourceClaimTemplate> = {
  returnsDeletedObject: true,
  default: ({ spec }) => defaultDeviceClaim(spec.spec.devices),
  validate: (template, { emulated }) => {
    const spec = new FieldCursor(template).at('spec');
    spec.report(...metadataErrors(template.spec.metadata));
    checkDeviceClaim(spec.at('spec').at('devices'), emulated);
    return spec.errors;
  },
  validateRules: (object, { old }) => {
    const { spec } = object as unknown as ResourceClaimTemplate;
    return old ? [] : checkExpressions(expressionsOfClaim(spec.spec.devices, 'spec.spec.devices'));
  },
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec, sameSpec),
};

/** The resource `resourceclaimtemplates` of the group `resource`. */
export const resourceClaimTemplates = builtIn<ResourceClaimTemplate>({
  group: 'resource',
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  namespaced: true,
  versions: deviceVersions(olderClaims(['spec', 'spec', 'devices'])),
  columns: [nameColumn, ageColumn],
  strategy,
});

import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { type DefinitionCondition, withCondition, withoutCondition } from './conditions.ts';
import { findUnsupported } from './custom-schema.ts';
import { checkStructure } from './structural-schema.ts';

/**
 * The definition with the condition `NonStructuralSchema`, or without it if its schemas are
 * structural and unknown fields are pruned. Definitions of v1beta1 need not be so. Returns the
 * definition itself if nothing changes.
 */
export function withStructure(crd: CustomResourceDefinition): CustomResourceDefinition {
  const problem = problemOf(crd.spec);
  if (!problem) return withoutCondition(crd, 'NonStructuralSchema');
  return withCondition(crd, { type: 'NonStructuralSchema', status: 'True', ...problem });
}

function problemOf({
  preserveUnknownFields,
  versions,
}: CustomResourceDefinitionSpec): Pick<DefinitionCondition, 'reason' | 'message'> | undefined {
  const errors: FieldError[] = preserveUnknownFields
    ? [invalid('spec.preserveUnknownFields', true, 'must be false')]
    : [];
  for (const [index, { name, schema }] of (versions ?? []).entries()) {
    const root = schema?.openAPIV3Schema;
    if (!root) continue;
    const unread = findUnsupported(root);
    if (unread !== undefined) {
      const why = `OpenAPIV3Schema '${unread}' is not supported`;
      const message = `failed to check validation schema for version ${name}: ${why}`;
      return { reason: 'StructuralError', message };
    }
    errors.push(...checkStructure(`spec.versions[${index}].schema.openAPIV3Schema`, root));
  }
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  if (texts.length === 0) return undefined;
  return { reason: 'Violations', message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` };
}

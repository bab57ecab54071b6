import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { withCondition, withoutCondition } from './conditions.ts';
import { findUnsupported } from './custom-schema.ts';
import { checkStructure } from './structural-schema.ts';

/**
 * The definition with the condition `NonStructuralSchema`, or without it if its schemas are
 * structural and unknown fields are pruned. Definitions of v1beta1 need not be so. Returns the
 * definition itself if nothing changes.
 */
export function withStructure(crd: JsonObject): JsonObject {
  const problem = problemOf(objectAt(crd, 'spec'));
  if (!problem) return withoutCondition(crd, 'NonStructuralSchema');
  return withCondition(crd, { type: 'NonStructuralSchema', status: 'True', ...problem });
}

function problemOf(spec: JsonObject): { readonly reason: string; readonly message: string } | undefined {
  const errors: FieldError[] = isTrue(spec, 'preserveUnknownFields')
    ? [invalid('spec.preserveUnknownFields', true, 'must be false')]
    : [];
  for (const [index, version] of objectsAt(spec, 'versions').entries()) {
    const schema = objectAt(version, 'schema');
    if (!isSet(schema, 'openAPIV3Schema')) continue;
    const root = objectAt(schema, 'openAPIV3Schema');
    const unread = findUnsupported(root);
    if (unread !== undefined) {
      const why = `OpenAPIV3Schema '${unread}' is not supported`;
      const message = `failed to check validation schema for version ${stringAt(version, 'name')}: ${why}`;
      return { reason: 'StructuralError', message };
    }
    errors.push(...checkStructure(`spec.versions[${index}].schema.openAPIV3Schema`, root));
  }
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  if (texts.length === 0) return undefined;
  return { reason: 'Violations', message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` };
}

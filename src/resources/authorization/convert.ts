import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { Conversion } from '../../registry/definition/resource-definition.ts';

/**
 * The conversions of reviews that name a user: `spec.groups` is `spec.group` in v1beta1 (spec 9.3).
 */
export const reviewConversions = {
  'authorization/v1beta1': {
    toStorage: (review) => renamed(review, 'group', 'groups'),
    fromStorage: (review) => renamed(review, 'groups', 'group'),
  },
} satisfies Readonly<Record<string, Conversion>>;

function renamed(review: JsonObject, from: string, to: string): JsonObject {
  const spec = review['spec'];
  if (!isJsonObject(spec) || !Object.hasOwn(spec, from)) return review;
  const entries = Object.entries(spec).map(([name, value]) => [name === from ? to : name, value]);
  return { ...review, spec: Object.fromEntries(entries) };
}

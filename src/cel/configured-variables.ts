import { requestTypes } from '../identifiers/request-types.ts';
import { type CelType, listOf, mapOf, type ObjectType, types } from './types/cel-type.ts';

/** An object type of requests, by the types of its fields. */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return {
    kind: 'object',
    name: `${requestTypes}${name}`,
    fields: new Map(Object.entries(fields).map(([field, type]) => [field, { name: field, type }])),
  };
}

const text = types.string;
const texts = listOf(text);
const extra = mapOf(text, texts);

const requirements = listOf(objectType('SelectorRequirement', { key: text, operator: text, values: texts }));

/**
 * The types of the variables of configuration files, as far as they are known: the user of a token,
 * and the fields of a SubjectAccessReview. Other variables have any type.
 */
export const configuredVariables: ReadonlyMap<string, CelType> = new Map([
  ['user', objectType('UserInfo', { username: text, uid: text, groups: texts, extra })],
  [
    'request',
    objectType('SubjectAccessReviewSpec', {
      resourceAttributes: objectType('ResourceAttributes', {
        namespace: text,
        verb: text,
        group: text,
        version: text,
        resource: text,
        subresource: text,
        name: text,
        fieldSelector: objectType('FieldSelectorAttributes', { rawSelector: text, requirements }),
        labelSelector: objectType('LabelSelectorAttributes', { rawSelector: text, requirements }),
      }),
      nonResourceAttributes: objectType('NonResourceAttributes', { path: text, verb: text }),
      user: text,
      groups: texts,
      extra,
      uid: text,
    }),
  ],
]);

import { requestTypes } from '../identifiers/request-types.ts';
import { type CelType, listOf, mapOf, type ObjectType, types } from './types/cel-type.ts';

function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
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
 * The variables of expressions in configuration files whose types are known: the user of a token,
 * and the access in question, with the fields of a SubjectAccessReview. Others have any type.
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

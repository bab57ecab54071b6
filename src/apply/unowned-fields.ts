import { type FieldSet, fieldSetOf } from './field-set.ts';

/** Fields that only the server sets. No manager owns them. */
export const unownedFields: FieldSet = fieldSetOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'selfLink',
    'clusterName',
    'managedFields',
  ].map((name) => ['f:metadata', `f:${name}`]),
]);

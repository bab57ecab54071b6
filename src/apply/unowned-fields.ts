import { type FieldSet, fieldSetOf } from './field-set.ts';

/** What the server keeps for itself, whoever sent it: nobody's fields. */
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

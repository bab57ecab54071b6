import { listOf, mapOf, type ObjectType, types } from '../../cel/types/cel-type.ts';
import { objectType } from '../../cel/configured-variables.ts';

const { string: text, timestamp, int } = types;

const kind = objectType('GroupVersionKind', { group: text, version: text, kind: text });
const resource = objectType('GroupVersionResource', { group: text, version: text, resource: text });

/** The type of `request`: the fields of an AdmissionReview that are not variables themselves. */
export const requestType: ObjectType = objectType('AdmissionRequest', {
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: objectType('UserInfo', {
    username: text,
    uid: text,
    groups: listOf(text),
    extra: mapOf(text, listOf(text)),
  }),
  dryRun: types.bool,
  options: types.dyn,
});

/** The type of `namespaceObject`, with the field names that kube-apiserver declares. */
export const namespaceType: ObjectType = objectType('Namespace', {
  metadata: objectType('NamespaceMetadata', {
    name: text,
    generateName: text,
    namespace: text,
    labels: mapOf(text, text),
    annotations: mapOf(text, text),
    UID: text,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: text,
    finalizers: listOf(text),
  }),
  spec: objectType('NamespaceSpec', { finalizers: listOf(text) }),
  status: objectType('NamespaceStatus', {
    conditions: listOf(
      objectType('NamespaceCondition', {
        status: text,
        type: text,
        lastTransitionTime: timestamp,
        message: text,
        reason: text,
      }),
    ),
    phase: text,
  }),
});

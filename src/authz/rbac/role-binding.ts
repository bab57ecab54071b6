import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf, namespaceOf } from '../../meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';

/** A RoleBinding or ClusterRoleBinding. */
export interface RoleBinding {
  /** '' for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleReference;
  readonly subjects: readonly Subject[];
}

/** A reference to a role of the binding's namespace, or to a cluster role. */
interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/** A user, a group or a service account. */
export interface Subject {
  readonly kind: string;
  /** The namespace of a service account; '' means the namespace of the binding. */
  readonly namespace: string;
  readonly name: string;
}

/** Reads a binding. */
export function readBinding(object: JsonObject): RoleBinding {
  return {
    namespace: namespaceOf(object),
    name: nameOf(object),
    role: readReference(objectAt(object, 'roleRef')),
    subjects: objectsAt(object, 'subjects').map(readSubject),
  };
}

function readReference(reference: JsonObject): RoleReference {
  return { kind: stringAt(reference, 'kind'), name: stringAt(reference, 'name') };
}

function readSubject(subject: JsonObject): Subject {
  return {
    kind: stringAt(subject, 'kind'),
    namespace: stringAt(subject, 'namespace'),
    name: stringAt(subject, 'name'),
  };
}

/** The user name of a service account (spec 5.2). */
export function accountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Describes a binding and one of its subjects as kube-apiserver does in its reasons. */
export function describeBinding({ namespace, name, role }: RoleBinding, subject: Subject): string {
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const binding = namespace === '' ? name : `${name}/${namespace}`;
  return `${kind} ${JSON.stringify(binding)} of ${role.kind} ${JSON.stringify(role.name)} to ${describeSubject(subject, namespace)}`;
}

function describeSubject({ kind, namespace, name }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${JSON.stringify(name)}`;
  return `${kind} ${JSON.stringify(`${name}/${namespace || bindingNamespace}`)}`;
}

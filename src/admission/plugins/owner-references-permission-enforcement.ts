import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ObjectMeta, OwnerReference } from '../../gen/stored/meta-v1.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import type { DecideRight, ResourceRight, RightDecision } from '../resource-right.ts';

/** The resource whose objects have a kind. */
interface ResourceOfKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** Finds the served resource of a kind. */
export type FindResource = (group: string, version: string, kind: string) => ResourceOfKind | undefined;

/** A write that changes owners. */
interface OwnerChange {
  readonly attributes: AdmissionAttributes;
  readonly decide: DecideRight;
  readonly findResource: FindResource;
}

/**
 * Lets only users who may delete an object change its owners, and only users who may set
 * finalizers of an owner make a reference that blocks its deletion.
 */
export function ownerReferencesPermissionEnforcement(decide: DecideRight, findResource: FindResource): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { resource, subresource, object, oldObject = {} } = attributes;
      // The node agents write the status of pods, and may not delete all of them.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return undefined;
      if (!object || sameValue([...ownersOf(object)], [...ownersOf(oldObject)])) return undefined;
      return checkOwners({ attributes, decide, findResource });
    },
  };
}

/** The owners of an object of any kind: custom kinds have the same metadata. */
function ownersOf(object: JsonObject): readonly OwnerReference[] {
  return (object['metadata'] as ObjectMeta | undefined)?.ownerReferences ?? [];
}

async function checkOwners(change: OwnerChange): Promise<void> {
  if (change.attributes.operation === 'UPDATE') await checkDeletable(change);
  // Each reference may ask a webhook, so they end with the request.
  for (const reference of newBlockingReferences(change.attributes)) {
    change.attributes.signal.throwIfAborted();
    await checkBlocking(change, reference);
  }
}

async function checkDeletable({ attributes, decide }: OwnerChange): Promise<void> {
  const { user, resource, subresource, namespace, name } = attributes;
  const decision = await decide({
    user,
    verb: 'delete',
    apiGroup: resource.group,
    apiVersion: resource.version,
    resource: resource.resource,
    subresource,
    namespace,
    name,
  });
  refuseUnless(decision, attributes, "cannot set an ownerRef on a resource you can't delete");
}

/** The references that block the deletion of their owner and did not do so before. */
function newBlockingReferences({ object = {}, oldObject = {} }: AdmissionAttributes): readonly OwnerReference[] {
  const known = new Set(blockingReferences(oldObject).map(({ uid }) => uid));
  return blockingReferences(object).filter(({ uid }) => !known.has(uid));
}

function blockingReferences(object: JsonObject): readonly OwnerReference[] {
  return ownersOf(object).filter(({ blockOwnerDeletion }) => blockOwnerDeletion);
}

async function checkBlocking(
  { attributes, decide, findResource }: OwnerChange,
  reference: OwnerReference,
): Promise<void> {
  const { apiVersion, kind, name } = reference;
  const parsed = parseApiVersion(apiVersion);
  const found = parsed && findResource(parsed.group, parsed.version, kind);
  if (!found) {
    const why = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
    throw forbidden(
      attributes,
      'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ' +
        `APIVersion ${apiVersion} Kind ${kind}: ${why}`,
    );
  }
  const right: ResourceRight = {
    user: attributes.user,
    verb: 'update',
    apiGroup: found.group,
    apiVersion: found.version,
    resource: found.resource,
    subresource: 'finalizers',
    namespace: found.namespaced ? attributes.namespace : '',
    name,
  };
  refuseUnless(
    await decide(right),
    attributes,
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
  );
}

/** `<nil>` is how kube-apiserver prints that there was no error. */
function refuseUnless({ isAllowed, reason, error }: RightDecision, attributes: AdmissionAttributes, why: string): void {
  if (!isAllowed) throw forbidden(attributes, `${why}: ${reason}, ${error ?? '<nil>'}`);
}

import type { TokenOrder } from '../../../authn/service-account/issue-token.ts';
import type { ReferencedKind } from '../../../authn/service-account/token-grant.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { uidOf } from '../../../meta/object-meta.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import type { InternalClients } from '../../../registry/definition/internal-client.ts';
import { badRequest, conflict, StatusError } from '../../../status/status-error.ts';

type BoundObject = TokenOrder['bound'][number];

/** The rules of binding. */
interface BindingRules {
  /** The name of the account. */
  readonly account: string;
  readonly bindsNodes: boolean;
  readonly namesNodeOfPod: boolean;
}

/** A kind that tokens can be bound to. */
interface BoundKind {
  readonly kind: ReferencedKind;
  readonly resource: string;
}

const boundKinds: ReadonlyMap<string, BoundKind> = new Map([
  ['Pod', { kind: 'pod', resource: 'pods' }],
  ['Secret', { kind: 'secret', resource: 'secrets' }],
  ['Node', { kind: 'node', resource: 'nodes' }],
]);

/**
 * The objects that a token names for its `boundObjectRef`. Throws 400 for other kinds and a pod of
 * another account, 404 for a missing object and 409 if it has another UID.
 */
export async function boundObjects(
  spec: JsonObject,
  objects: InternalClients,
  rules: BindingRules,
): Promise<readonly BoundObject[]> {
  if (!isSet(spec, 'boundObjectRef')) return [];
  const reference = objectAt(spec, 'boundObjectRef');
  const { kind, resource } = boundKindOf(reference, rules);
  const name = stringAt(reference, 'name');
  if (name === '') throw badRequest('Name parameter required.');
  const object = await objects('', resource).get(name);
  if (kind === 'pod' && stringAt(objectAt(object, 'spec'), 'serviceAccountName') !== rules.account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(rules.account)} ` +
        'to pod running with different serviceaccount name.',
    );
  }
  checkUid(reference, uidOf(object));
  const node = kind === 'pod' && rules.namesNodeOfPod ? await nodeOf(object, objects) : [];
  return [{ kind, name, uid: uidOf(object) }, ...node];
}

function boundKindOf(reference: JsonObject, { bindsNodes }: BindingRules): BoundKind {
  const kind = stringAt(reference, 'kind');
  const [version = '', group = ''] = stringAt(reference, 'apiVersion').split('/').toReversed();
  const bound = group === '' ? boundKinds.get(kind) : undefined;
  if (bound && (bindsNodes || bound.kind !== 'node')) return bound;
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

function checkUid(reference: JsonObject, uid: string): void {
  const wanted = stringAt(reference, 'uid');
  if (wanted === '' || wanted === uid) return;
  throw conflict(
    { group: '', resource: stringAt(reference, 'kind') },
    stringAt(reference, 'name'),
    `the UID in the bound object reference (${wanted}) does not match the UID in record. ` +
      'The object might have been deleted and then recreated',
  );
}

/** The node of a pod; none if the pod has no node or the node does not exist. */
async function nodeOf(pod: JsonObject, objects: InternalClients): Promise<readonly BoundObject[]> {
  const name = stringAt(objectAt(pod, 'spec'), 'nodeName');
  if (name === '') return [];
  try {
    return [{ kind: 'node', name, uid: uidOf(await objects('', 'nodes').get(name)) }];
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return [];
    throw error;
  }
}

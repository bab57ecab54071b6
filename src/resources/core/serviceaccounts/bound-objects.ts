import type { TokenOrder } from '../../../authn/service-account/issue-token.ts';
import type { ReferencedKind } from '../../../authn/service-account/token-grant.ts';
import type { BoundObjectReference, TokenRequestSpec } from '../../../gen/stored/authentication-v1.ts';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import { uidOf } from '../../../meta/object-meta.ts';
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
  { boundObjectRef: reference }: TokenRequestSpec,
  objects: InternalClients,
  rules: BindingRules,
): Promise<readonly BoundObject[]> {
  if (!reference) return [];
  const { kind, resource } = boundKindOf(reference, rules);
  const { name } = reference;
  if (!name) throw badRequest('Name parameter required.');
  if (kind !== 'pod') {
    const uid = uidOf(await objects('', resource).get(name));
    checkUid(reference, uid);
    return [{ kind, name, uid }];
  }
  const pod = await objects<Pod>('', resource).get(name);
  if (pod.spec.serviceAccountName !== rules.account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(rules.account)} ` +
        'to pod running with different serviceaccount name.',
    );
  }
  const uid = uidOf(pod);
  checkUid(reference, uid);
  const node = rules.namesNodeOfPod ? await nodeOf(pod, objects) : [];
  return [{ kind, name, uid }, ...node];
}

function boundKindOf({ kind = '', apiVersion = '' }: BoundObjectReference, { bindsNodes }: BindingRules): BoundKind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const bound = group === '' ? boundKinds.get(kind) : undefined;
  if (bound && (bindsNodes || bound.kind !== 'node')) return bound;
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

function checkUid({ kind = '', name = '', uid: wanted }: BoundObjectReference, uid: string): void {
  if (!wanted || wanted === uid) return;
  throw conflict(
    { group: '', resource: kind },
    name,
    `the UID in the bound object reference (${wanted}) does not match the UID in record. ` +
      'The object might have been deleted and then recreated',
  );
}

/** The node of a pod; none if the pod has no node or the node does not exist. */
async function nodeOf({ spec: { nodeName } }: Pod, objects: InternalClients): Promise<readonly BoundObject[]> {
  if (!nodeName) return [];
  try {
    return [{ kind: 'node', name: nodeName, uid: uidOf(await objects('', 'nodes').get(nodeName)) }];
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return [];
    throw error;
  }
}

import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { PersistentVolume, Pod, PersistentVolumeSpec } from '../../gen/stored/core-v1.ts';
import type { VolumeAttachment } from '../../gen/stored/storage-v1.ts';
import type { Lister, ListerFeed, ListerOf } from '../../meta/lister.ts';
import { nodeNameOf } from '../../meta/user-info.ts';
import type { AuthorizationDecision, Authorizer, AuthorizationAttributes } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { RoleRules, ruleRequest } from '../rbac/role-rules.ts';
import { type Reference, ReferenceGraph } from './reference-graph.ts';
import { referencesOfPod } from '../../kinds/core/pod-references.ts';

/** A request of a node. */
interface NodeRequest {
  readonly nodeName: string;
  readonly attributes: AuthorizationAttributes;
  readonly graph: ReferenceGraph;
}

/** A rule for one resource: '' allows, any other text is the reason why it does not. */
type NodeRule = (request: NodeRequest) => string;

/** The rules for the resources of which a node may access some objects only, by group/resource. */
function nodeRules({ apiDomain, prefix }: Identifiers): ReadonlyMap<string, NodeRule> {
  return new Map<string, NodeRule>([
    ['/secrets', (request) => read(request, 'secret')],
    ['/configmaps', (request) => read(request, 'configmap')],
    ['/persistentvolumeclaims', accessClaim],
    ['/persistentvolumes', (request) => get(request, 'volume')],
    [`storage.${apiDomain}/volumeattachments`, (request) => get(request, 'attachment')],
    ['/serviceaccounts', createToken],
    [`coordination.${apiDomain}/leases`, (request) => ownLease(request, `${prefix}node-lease`)],
    [`storage.${apiDomain}/csinodes`, ownCsiNode],
  ]);
}

type RelatedKind = 'secret' | 'configmap' | 'claim' | 'volume' | 'attachment' | 'account';

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const statusVerbs: ReadonlySet<string> = new Set(['update', 'patch']);
const ownVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** Reads of one object; a list or watch names it by a field selector. */
function read(request: NodeRequest, kind: RelatedKind): string {
  const { verb, subresource, namespace } = request.attributes;
  if (!readVerbs.has(verb)) return 'can only read resources of this type';
  if (subresource !== '') return 'cannot read subresource';
  if (namespace === '') return 'can only read namespaced object of this type';
  return related(request, kind);
}

function get(request: NodeRequest, kind: RelatedKind): string {
  const { verb, subresource } = request.attributes;
  if (verb !== 'get') return 'can only get individual resources of this type';
  if (subresource !== '') return 'cannot get subresource';
  return related(request, kind);
}

function accessClaim(request: NodeRequest): string {
  return request.attributes.subresource === 'status' ? updateStatus(request, 'claim') : get(request, 'claim');
}

function updateStatus(request: NodeRequest, kind: RelatedKind): string {
  return statusVerbs.has(request.attributes.verb) ? related(request, kind) : 'can only get/update/patch this type';
}

function createToken(request: NodeRequest): string {
  const { verb, name, subresource } = request.attributes;
  if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts';
  if (subresource !== 'token') return 'can only create token subresource of service account';
  return related(request, 'account');
}

function related({ nodeName, attributes: { namespace, name }, graph }: NodeRequest, kind: RelatedKind): string {
  if (name === '') return 'No Object name found';
  if (graph.reaches(vertex(kind, namespace, name), vertex('node', '', nodeName))) return '';
  return `no relationship found between node '${nodeName}' and this object`;
}

/** The name of a new Lease is not known yet; admission checks it. */
function ownLease({ nodeName, attributes: { verb, namespace, name } }: NodeRequest, leaseNamespace: string): string {
  if (!ownVerbs.has(verb)) return 'can only get, create, update, patch, or delete a node lease';
  if (namespace !== leaseNamespace)
    return `can only access leases in the ${JSON.stringify(leaseNamespace)} system namespace`;
  if (verb === 'create' || name === nodeName) return '';
  return 'can only access node lease with the same name as the requesting node';
}

function ownCsiNode({ nodeName, attributes: { verb, subresource, name } }: NodeRequest): string {
  if (!ownVerbs.has(verb)) return 'can only get, create, update, patch, or delete a CSINode';
  if (subresource !== '') return 'cannot authorize CSINode subresources';
  if (verb === 'create' || name === nodeName) return '';
  return 'can only access CSINode with the same name as the requesting node';
}

interface NodeAuthorizerDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** The rules of `system:node`, for the resources that are not divided among nodes. */
  readonly rules: readonly PolicyRule[];
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

const allow: AuthorizationDecision = Object.freeze({ decision: 'allow', reason: '' });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: 'no-opinion', reason: '' });

/**
 * `--authorization-mode=Node`: allows node agents the requests that they need, and limits Secrets,
 * ConfigMaps, volumes and service accounts to the ones that the pods of their node refer to. It has
 * no opinion on other users.
 */
export function nodeAuthorizer({ identifiers, listerOf, rules, signal }: NodeAuthorizerDependencies): Authorizer {
  const graph = new ReferenceGraph();
  const feeds = followAll(graph, identifiers, listerOf);
  const divided = nodeRules(identifiers);
  const shared = new RoleRules(rules);
  const catchUp = (): Promise<void> | undefined => {
    for (const feed of feeds) {
      const pending = feed.catchUp(signal);
      if (pending) return pending.then(catchUp);
    }
    return undefined;
  };
  return {
    name: 'Node',
    authorize(attributes) {
      const nodeName = nodeNameOf(attributes.user);
      if (nodeName === undefined) return noOpinion;
      if (nodeName === '') return because(`unknown node for user ${JSON.stringify(attributes.user.username)}`);
      const rule = attributes.resourceRequest && divided.get(`${attributes.apiGroup}/${attributes.resource}`);
      if (!rule) return shared.find(ruleRequest(attributes)) ? allow : noOpinion;
      const decide = (): AuthorizationDecision => because(rule({ nodeName, attributes, graph }));
      const pending = catchUp();
      return pending ? pending.then(decide) : decide();
    },
  };
}

function because(reason: string): AuthorizationDecision {
  return reason === '' ? allow : { decision: 'no-opinion', reason };
}

function followAll(
  graph: ReferenceGraph,
  { apiDomain, labelDomain }: Identifiers,
  listerOf: ListerOf,
): readonly ListerFeed[] {
  const follow = (lister: Lister<{ readonly references: readonly Reference[] }>): ListerFeed =>
    lister.follow((key, item) => graph.set(key, item?.references ?? []));
  const ofPod = (pod: Pod) => ({ references: podReferences(pod, `${labelDomain}/config.mirror`) });
  const volumes = listerOf({
    group: '',
    resource: 'persistentvolumes',
    warm: true,
    read: (volume: PersistentVolume) => ({ references: volumeReferences(volume) }),
  });
  const attachments = listerOf({
    group: `storage.${apiDomain}`,
    resource: 'volumeattachments',
    warm: true,
    read: (attachment: VolumeAttachment) => ({ references: attachmentReferences(attachment) }),
  });
  return [
    follow(listerOf({ group: '', resource: 'pods', warm: true, read: ofPod })),
    follow(volumes),
    follow(attachments),
  ];
}

/**
 * The objects that a pod refers to, held by its node; none without a node. A mirror pod is created
 * by its node, so it refers to nothing: a node cannot grant itself access.
 */
function podReferences(pod: Pod, mirrorAnnotation: string): readonly Reference[] {
  const { nodeName } = pod.spec;
  const { annotations = {}, namespace = '' } = pod.metadata;
  if (!nodeName || Object.hasOwn(annotations, mirrorAnnotation)) return [];
  const holder = vertex('node', '', nodeName);
  const { serviceAccounts, secrets, configMaps, claims } = referencesOfPod(pod);
  return [
    ...serviceAccounts.map((name) => vertex('account', namespace, name)),
    ...secrets.map((name) => vertex('secret', namespace, name)),
    ...configMaps.map((name) => vertex('configmap', namespace, name)),
    ...claims.map((name) => vertex('claim', namespace, name)),
  ].map((target) => ({ target, holder }));
}

/**
 * A bound volume may be read by the readers of its claim, and its Secrets by its own readers. A
 * Secret without namespace is one of the claim's.
 */
function volumeReferences({ metadata, spec }: PersistentVolume): readonly Reference[] {
  const { name: claimName, namespace: claimNamespace = '' } = spec.claimRef ?? {};
  if (!claimName) return [];
  const holder = vertex('volume', '', metadata.name ?? '');
  return [
    { target: holder, holder: vertex('claim', claimNamespace, claimName) },
    ...secretsOf(spec).flatMap(({ namespace, name }) =>
      name ? [{ target: vertex('secret', namespace || claimNamespace, name), holder }] : [],
    ),
  ];
}

/** The references to Secrets in the sources of volumes that a node resolves. */
function secretsOf({
  azureFile,
  cephfs,
  cinder,
  csi,
  flexVolume,
  iscsi,
  rbd,
  scaleIO,
  storageos,
}: PersistentVolumeSpec) {
  return [
    { name: azureFile?.secretName, namespace: azureFile?.secretNamespace },
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef ?? {}),
    ...[csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef].map((secret) => secret ?? {}),
  ];
}

/** An attachment may be read by its node. */
function attachmentReferences({ metadata, spec: { nodeName } }: VolumeAttachment): readonly Reference[] {
  if (nodeName === '') return [];
  return [{ target: vertex('attachment', '', metadata.name ?? ''), holder: vertex('node', '', nodeName) }];
}

/** The kinds of objects and nodes in the graph of references. */
type VertexKind = 'node' | 'secret' | 'configmap' | 'claim' | 'volume' | 'attachment' | 'account';

/** The name of an object or node in the graph. No name or namespace contains a slash. */
function vertex(kind: VertexKind, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

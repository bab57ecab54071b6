import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { PersistentVolume, Pod, PersistentVolumeSpec } from '../../gen/stored/core-v1.ts';
import type { PodCertificateRequest } from '../../gen/stored/certificates-v1beta1.ts';
import type { ResourceSlice } from '../../gen/stored/resource-v1.ts';
import type { VolumeAttachment } from '../../gen/stored/storage-v1.ts';
import type { Lister, ListerFeed, ListerOf } from '../../meta/lister.ts';
import { nodeNameOf } from '../../meta/user-info.ts';
import type { AuthorizationDecision, Authorizer } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { RoleRules, ruleRequest } from '../rbac/role-rules.ts';
import { type Reference, ReferenceGraph } from './reference-graph.ts';
import { referencesOfPod } from '../../kinds/core/pod-references.ts';
import { type NodeFeatures, nodeRules } from './node-rules.ts';
import { vertex } from './vertex.ts';

interface NodeAuthorizerDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** The rules of `system:node`, for the resources that are not divided among nodes. */
  readonly rules: readonly PolicyRule[];
  readonly features: NodeFeatures;
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
export function nodeAuthorizer({
  identifiers,
  listerOf,
  rules,
  features,
  signal,
}: NodeAuthorizerDependencies): Authorizer {
  const graph = new ReferenceGraph();
  const feeds = followAll(graph, identifiers, listerOf, features);
  const divided = nodeRules(identifiers, features);
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

function because(reason: string | undefined): AuthorizationDecision {
  return reason === undefined ? allow : { decision: 'no-opinion', reason };
}

function followAll(
  graph: ReferenceGraph,
  { apiDomain, labelDomain }: Identifiers,
  listerOf: ListerOf,
  { withSelectors, withDevices, requestsCertificates }: NodeFeatures,
): readonly ListerFeed[] {
  const follow = (lister: Lister<{ readonly references: readonly Reference[] }>): ListerFeed =>
    lister.follow((key, item) => graph.set(key, item?.references ?? []));
  const ofPod = (pod: Pod) => ({ references: podReferences(pod, `${labelDomain}/config.mirror`, withSelectors) });
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
  const slices = () =>
    listerOf({
      group: `resource.${apiDomain}`,
      resource: 'resourceslices',
      warm: true,
      read: (slice: ResourceSlice) => ({ references: sliceReferences(slice) }),
    });
  const requests = () =>
    listerOf({
      group: `certificates.${apiDomain}`,
      resource: 'podcertificaterequests',
      warm: true,
      read: (request: PodCertificateRequest) => ({ references: certificateReferences(request) }),
    });
  return [
    ...(withDevices ? [follow(slices())] : []),
    ...(requestsCertificates && withSelectors ? [follow(requests())] : []),
    follow(listerOf({ group: '', resource: 'pods', warm: true, read: ofPod })),
    follow(volumes),
    follow(attachments),
  ];
}

/**
 * The objects that the node of a pod may read because the pod refers to them; with `withPods` the
 * pod too. A pod without a node gives none. A mirror pod gives none either: its node created it,
 * and a node must not grant itself access.
 */
function podReferences(pod: Pod, mirrorAnnotation: string, withPods: boolean): readonly Reference[] {
  const { nodeName } = pod.spec;
  const { annotations = {}, namespace = '', name: podName = '' } = pod.metadata;
  if (!nodeName) return [];
  const holder = vertex('node', '', nodeName);
  const own = withPods ? [{ target: vertex('pod', namespace, podName), holder }] : [];
  if (Object.hasOwn(annotations, mirrorAnnotation)) return own;
  const { serviceAccounts, secrets, configMaps, claims, resourceClaims } = referencesOfPod(pod);
  const targets = [
    ...serviceAccounts.map((name) => vertex('account', namespace, name)),
    ...secrets.map((name) => vertex('secret', namespace, name)),
    ...configMaps.map((name) => vertex('configmap', namespace, name)),
    ...claims.map((name) => vertex('claim', namespace, name)),
    ...resourceClaims.map((name) => vertex('resourceclaim', namespace, name)),
  ];
  return [...own, ...targets.map((target) => ({ target, holder }))];
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

/** A node may read and change the ResourceSlices of its own devices. */
function sliceReferences({ metadata, spec: { nodeName } }: ResourceSlice): readonly Reference[] {
  if (!nodeName) return [];
  return [{ target: vertex('resourceslice', '', metadata.name ?? ''), holder: vertex('node', '', nodeName) }];
}

/** A node may read the PodCertificateRequests of its own pods. */
function certificateReferences({ metadata, spec: { nodeName } }: PodCertificateRequest): readonly Reference[] {
  const { namespace = '', name = '' } = metadata;
  return [{ target: vertex('certificaterequest', namespace, name), holder: vertex('node', '', nodeName) }];
}

/** An attachment may be read by its node. */
function attachmentReferences({ metadata, spec: { nodeName } }: VolumeAttachment): readonly Reference[] {
  if (nodeName === '') return [];
  return [{ target: vertex('attachment', '', metadata.name ?? ''), holder: vertex('node', '', nodeName) }];
}

import { isDeepStrictEqual } from 'node:util';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { CertificateSigningRequest } from '../../../gen/stored/certificates-v1.ts';
import type { PodCertificateRequest } from '../../../gen/stored/certificates-v1beta1.ts';
import type { TokenRequest } from '../../../gen/stored/authentication-v1.ts';
import type { ResourceSlice } from '../../../gen/stored/resource-v1.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Lister } from '../../../meta/lister.ts';
import { nodeNameOf } from '../../../meta/user-info.ts';
import { nameOf, uidOf } from '../../../meta/object-meta.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { notFound } from '../../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { type PodCertificateError, podCertificateError } from './pod-certificate.ts';
import { certificateNameError } from './certificate-name.ts';
import { mirrorPodError } from './mirror-pod.ts';
import { type AudienceError, tokenAudienceError, type TokenUses, tokenUses } from './token-audience.ts';

/** A write of a node agent, of an object of type T. */
interface NodeWrite<T extends JsonObject = JsonObject> {
  readonly nodeName: string;
  readonly attributes: AdmissionAttributes<T>;
  readonly identifiers: Identifiers;
  readonly pods: Lister<KnownPod>;
  readonly nodes: Lister<KnownNode>;
  /** True if nodes may report the progress of a volume expansion. */
  readonly reportsExpansion: boolean;
  /** Checks the audience of a requested token; undefined: any audience is allowed. */
  readonly audienceError: AudienceError | undefined;
}

interface KnownPod {
  readonly uid: string;
  readonly nodeName: string;
  /** The tokens that the pod's volumes need; absent if any audience is allowed. */
  readonly tokens?: TokenUses;
}

interface KnownNode {
  readonly uid: string;
}

/** The gate that lets nodes request certificates in the name of other nodes. */
const insecureRequests = 'AllowInsecureKubeletCertificateSigningRequests';

/** The reason why a write is refused; '' if it is not. May throw `StatusError`. */
type WriteRule<T extends JsonObject = JsonObject> = (write: NodeWrite<T>) => string | Promise<string>;

/** A rule for the objects of one resource, which the table knows. */
function ruleFor<T extends JsonObject>(rule: WriteRule<T>): WriteRule {
  return rule as WriteRule;
}

/**
 * Restricts node agents to their own Node, to the pods on it, and to tokens for those pods. The
 * authorizer of nodes cannot, because it does not see objects. Other users are not affected.
 */
export function nodeRestriction(context: PluginContext): AdmissionPlugin {
  const { identifiers, listerOf, emulated } = context;
  const checksAudiences = emulated.isFeatureEnabled('ServiceAccountNodeAudienceRestriction');
  const reportsExpansion = emulated.isFeatureEnabled('RecoverVolumeExpansionFailure');
  const audienceError = checksAudiences ? tokenAudienceError(context) : undefined;
  const read = checksAudiences ? (pod: Pod): KnownPod => ({ ...knownPod(pod), tokens: tokenUses(pod) }) : knownPod;
  const pods = listerOf({ group: '', resource: 'pods', read });
  const nodes = listerOf({ group: '', resource: 'nodes', read: (node): KnownNode => ({ uid: uidOf(node) }) });
  const checkRequest = emulated.isFeatureEnabled('PodCertificateRequest') ? podCertificateError(context) : undefined;
  const checksNames = isSince(emulated.release, '1.31') && !emulated.isFeatureEnabled(insecureRequests);
  const rules = rulesOf(identifiers, checkRequest, checksNames);
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    mutate(attributes) {
      const nodeName = nodeNameOf(attributes.user);
      if (nodeName === undefined) return undefined;
      if (nodeName === '') {
        throw forbidden(attributes, `could not determine node from user ${JSON.stringify(attributes.user.username)}`);
      }
      const { group, resource } = attributes.resource;
      const rule = rules.get(`${group}/${resource}`);
      return rule && admit(rule, { nodeName, attributes, identifiers, pods, nodes, reportsExpansion, audienceError });
    },
  };
}

async function admit(rule: WriteRule, write: NodeWrite): Promise<void> {
  const problem = await rule(write);
  if (problem !== '') throw forbidden(write.attributes, problem);
}

function knownPod({ metadata: { uid = '' }, spec: { nodeName = '' } }: Pod): KnownPod {
  return { uid, nodeName };
}

function rulesOf(
  identifiers: Identifiers,
  checkRequest: PodCertificateError | undefined,
  checksNames: boolean,
): ReadonlyMap<string, WriteRule> {
  const { apiDomain, prefix } = identifiers;
  return new Map<string, WriteRule>([
    ['/pods', podError],
    ['/nodes', ruleFor(nodeError)],
    ['/persistentvolumeclaims', ruleFor(claimError)],
    ['/serviceaccounts', ruleFor(tokenError)],
    [`coordination.${apiDomain}/leases`, (write) => leaseError(write, `${prefix}node-lease`)],
    [`storage.${apiDomain}/csinodes`, (write) => ownNameError(write, 'CSINode')],
    [`resource.${apiDomain}/resourceslices`, ruleFor(sliceError)],
    [
      `certificates.${apiDomain}/podcertificaterequests`,
      ruleFor<PodCertificateRequest>(({ attributes, nodeName }) => checkRequest?.(attributes, nodeName) ?? ''),
    ],
    [
      `certificates.${apiDomain}/certificatesigningrequests`,
      ruleFor<CertificateSigningRequest>(({ attributes, nodeName }) =>
        checksNames ? certificateNameError(attributes, nodeName, identifiers) : '',
      ),
    ],
  ]);
}

const podRules: Readonly<Record<string, WriteRule>> = {
  'CREATE ': ruleFor(createPodError),
  'DELETE ': ruleFor<Pod>(({ nodeName, attributes: { oldObject } }) =>
    oldObject?.spec.nodeName === nodeName
      ? ''
      : `node ${JSON.stringify(nodeName)} can only delete pods with spec.nodeName set to itself`,
  ),
  'UPDATE status': ruleFor(podStatusError),
  'CREATE eviction': evictionError,
};

const podSubresources: ReadonlySet<string> = new Set(['', 'status', 'eviction']);

function podError(write: NodeWrite): string | Promise<string> {
  const { operation, subresource } = write.attributes;
  if (!podSubresources.has(subresource)) {
    return `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`;
  }
  const rule = podRules[`${operation} ${subresource}`];
  if (rule) return rule(write);
  const unexpected = `unexpected operation ${JSON.stringify(operation)}`;
  return subresource === ''
    ? `${unexpected}, node ${JSON.stringify(write.nodeName)} can only create and delete mirror pods`
    : unexpected;
}

async function createPodError({ nodeName, attributes, identifiers, nodes }: NodeWrite<Pod>): Promise<string> {
  const { object: pod, signal } = attributes;
  if (!pod) return '';
  const problem = mirrorPodError({ pod, nodeName, annotation: `${identifiers.labelDomain}/config.mirror` });
  if (problem !== '') return problem;
  const node = await nodes.get('', nodeName, signal);
  if (!node) throw notFound({ group: '', resource: 'node' }, nodeName);
  const uid = pod.metadata.ownerReferences?.[0]?.uid;
  return uid === node.uid ? '' : `node ${nodeName} UID mismatch: expected ${uid} got ${node.uid}`;
}

function podStatusError({ nodeName, attributes: { object, oldObject } }: NodeWrite<Pod>): string {
  const who = `node ${JSON.stringify(nodeName)}`;
  if (oldObject?.spec.nodeName !== nodeName) {
    return `${who} can only update pod status for pods with spec.nodeName set to itself`;
  }
  const isSame = isDeepStrictEqual({ ...object?.metadata.labels }, { ...oldObject.metadata.labels });
  if (!isSame) return `${who} cannot update labels through pod status`;
  // The node authorizer allows the claims that a status names, so that a node must not add any.
  const { status: { resourceClaimStatuses, extendedResourceClaimStatus } = {} } = object ?? {};
  const { status: old } = oldObject;
  return isSameList(resourceClaimStatuses, old.resourceClaimStatuses) &&
    isDeepStrictEqual(extendedResourceClaimStatus, old.extendedResourceClaimStatus)
    ? ''
    : `${who} cannot update resource claim statuses`;
}

async function evictionError({ nodeName, attributes, pods }: NodeWrite): Promise<string> {
  const name = attributes.name || nameOf(attributes.object ?? {});
  if (name === '') return 'could not determine pod from request data';
  const pod = await existingPod(pods, attributes, name);
  return pod.nodeName === nodeName ? '' : `node ${nodeName} can only evict pods with spec.nodeName set to itself`;
}

async function existingPod(
  pods: Lister<KnownPod>,
  { namespace, signal }: AdmissionAttributes,
  name: string,
): Promise<KnownPod> {
  const pod = await pods.get(namespace, name, signal);
  if (!pod) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

function nodeError({ nodeName, attributes, identifiers }: NodeWrite<Node>): string {
  const { operation, object, oldObject } = attributes;
  const who = `node ${JSON.stringify(nodeName)}`;
  const changedLabels = (): string =>
    forbiddenNodeLabels(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}, identifiers).join(', ');
  // An agent could read any ConfigMap with the source of its configuration.
  const source = object?.spec.configSource;
  if (operation === 'CREATE') {
    if (source) return `${who} is not allowed to create pods with a non-nil configSource`;
    const labels = changedLabels();
    if (labels !== '') return `${who} is not allowed to set the following labels: ${labels}`;
    if (object?.metadata.ownerReferences?.length) return `${who} is not allowed to set ownerReferences`;
  }
  const requested = attributes.name || (object?.metadata.name ?? '');
  if (requested !== nodeName) return `${who} is not allowed to modify node ${JSON.stringify(requested)}`;
  if (operation !== 'UPDATE') return '';
  if (source && !isDeepStrictEqual(source, oldObject?.spec.configSource)) {
    return `${who} is not allowed to update configSource to a new non-nil configSource`;
  }
  if (!isSameList(object?.spec.taints, oldObject?.spec.taints)) return `${who} is not allowed to modify taints`;
  const labels = changedLabels();
  if (labels !== '') return `is not allowed to modify labels: ${labels}`;
  // A Node whose owners do not exist, or end, is collected, and made again without its taints.
  const hasSameOwners = isSameList(object?.metadata.ownerReferences, oldObject?.metadata.ownerReferences);
  return hasSameOwners ? '' : `${who} is not allowed to modify ownerReferences`;
}

function isSameList(list: readonly unknown[] = [], old: readonly unknown[] = []): boolean {
  return isDeepStrictEqual(list, old);
}

function claimError(write: NodeWrite<PersistentVolumeClaim>): string {
  const { nodeName, attributes, reportsExpansion } = write;
  const { operation, subresource, object, oldObject } = attributes;
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation ${JSON.stringify(operation)}`;
  if (
    object &&
    oldObject &&
    isDeepStrictEqual(withoutOwnFields(object, reportsExpansion), withoutOwnFields(oldObject, reportsExpansion))
  )
    return '';
  return `node ${JSON.stringify(nodeName)} is not allowed to update fields other than status.capacity and status.conditions`;
}

/** A claim without the fields that its node reports, and those that change with every write. */
function withoutOwnFields(claim: PersistentVolumeClaim, reportsExpansion: boolean): object {
  return {
    ...claim,
    metadata: { ...claim.metadata, managedFields: undefined, resourceVersion: undefined },
    status: {
      ...claim.status,
      capacity: undefined,
      conditions: undefined,
      ...(reportsExpansion ? { allocatedResources: undefined, allocatedResourceStatuses: undefined } : {}),
    },
  };
}

/** A node gets tokens for pods on it only, bound to them. */
async function tokenError({ nodeName, attributes, pods, audienceError }: NodeWrite<TokenRequest>): Promise<string> {
  const { operation, subresource, object } = attributes;
  if (operation !== 'CREATE' || subresource !== 'token') return '';
  const { apiVersion, kind, name, uid } = object?.spec.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) return 'node requested token not bound to a pod';
  if (!uid) return 'node requested token with a pod binding without a uid';
  const pod = await existingPod(pods, attributes, name);
  if (uid !== pod.uid) {
    const found = `the UID in the bound object reference (${uid}) does not match the UID in record (${pod.uid})`;
    return `${found}. The object might have been deleted and then recreated`;
  }
  if (pod.nodeName !== nodeName) return 'node requested token bound to a pod scheduled on a different node';
  return audienceError && pod.tokens ? audienceError(attributes, pod.tokens) : '';
}

function leaseError(write: NodeWrite, leaseNamespace: string): string {
  return write.attributes.namespace === leaseNamespace
    ? ownNameError(write, 'node lease')
    : `can only access leases in the ${JSON.stringify(leaseNamespace)} system namespace`;
}

function ownNameError({ nodeName, attributes: { name, object = {} } }: NodeWrite, what: string): string {
  return (name || nameOf(object)) === nodeName
    ? ''
    : `can only access ${what} with the same name as the requesting node`;
}

/** Only creates need the check: the node of an existing slice is immutable. */
function sliceError({ nodeName, attributes }: NodeWrite<ResourceSlice>): string {
  const { operation, object, oldObject } = attributes;
  if (operation === 'UPDATE') return '';
  const slice = operation === 'CREATE' ? object : oldObject;
  if (slice?.spec.nodeName === nodeName) return '';
  return `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
}

type Labels = Readonly<Record<string, string>>;

/**
 * The labels that a node may not change on itself: labels reserved for administrators, and labels
 * of the product that are not the node agent's. Workloads can be kept to nodes by them.
 */
function forbiddenNodeLabels(labels: Labels, oldLabels: Labels, identifiers: Identifiers): readonly string[] {
  const changed = Object.keys({ ...labels, ...oldLabels }).filter((key) => labels[key] !== oldLabels[key]);
  return changed.filter((key) => !isFree(key, identifiers)).toSorted();
}

function isFree(key: string, { labelDomain, apiDomain, nodeAgent }: Identifiers): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isProducts = isWithin(domain, labelDomain) || isWithin(domain, apiDomain);
  if (!isProducts) return true;
  const ownDomains = [`${nodeAgent}.${labelDomain}`, `node.${labelDomain}`];
  return ownLabels(labelDomain).has(key) || ownDomains.some((own) => isWithin(domain, own));
}

/** The labels that a node agent sets. */
function ownLabels(domain: string): ReadonlySet<string> {
  return new Set([
    ...['hostname', 'os', 'arch'].map((name) => `${domain}/${name}`),
    ...['instance-type', 'os', 'arch'].map((name) => `beta.${domain}/${name}`),
    ...['topology', 'failure-domain.beta'].flatMap((part) => [`${part}.${domain}/zone`, `${part}.${domain}/region`]),
    `node.${domain}/instance-type`,
  ]);
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

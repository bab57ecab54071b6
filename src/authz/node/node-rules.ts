import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { AuthorizationAttributes } from '../authorizer.ts';
import type { ReferenceGraph } from './reference-graph.ts';
import { vertex, type VertexKind } from './vertex.ts';

/** A request of a node. */
interface NodeRequest {
  readonly nodeName: string;
  readonly attributes: AuthorizationAttributes;
  readonly graph: ReferenceGraph;
}

/** The reason why a request is not allowed, possibly ''; undefined if it is allowed. */
type Refusal = string | undefined;

/** A rule for one resource. */
type NodeRule = (request: NodeRequest) => Refusal;

/** The parts of the API that nodes use, by release and feature gates. */
export interface NodeFeatures {
  /** True if nodes read their own Node and the pods on it only: AuthorizeNodeWithSelectors. */
  readonly withSelectors: boolean;
  /** True if nodes publish the devices that they have, in slices. */
  readonly withDevices: boolean;
  /** True if nodes read the service accounts of their pods. */
  readonly readsAccounts: boolean;
  /** True if nodes request certificates for their pods. */
  readonly requestsCertificates: boolean;
}

/**
 * The rules of resources of which a node may access only some objects, by `group/resource`. With
 * selectors a node reads only its own Node and the pods on it; otherwise all Nodes and pods.
 */
export function nodeRules(
  { apiDomain, prefix }: Identifiers,
  { withSelectors, readsAccounts, requestsCertificates }: NodeFeatures,
): ReadonlyMap<string, NodeRule> {
  return new Map<string, NodeRule>([
    ['/secrets', (request) => read(request, 'secret')],
    ['/configmaps', (request) => read(request, 'configmap')],
    ['/persistentvolumeclaims', accessClaim],
    ['/persistentvolumes', (request) => get(request, 'volume')],
    [`storage.${apiDomain}/volumeattachments`, (request) => get(request, 'attachment')],
    ['/serviceaccounts', (request) => accessAccount(request, readsAccounts)],
    [`coordination.${apiDomain}/leases`, (request) => ownLease(request, `${prefix}node-lease`)],
    [`storage.${apiDomain}/csinodes`, ownCsiNode],
    [`resource.${apiDomain}/resourceclaims`, (request) => get(request, 'resourceclaim')],
    [`resource.${apiDomain}/resourceslices`, (request) => accessSlice(request, withSelectors)],
    [
      `certificates.${apiDomain}/podcertificaterequests`,
      requestsCertificates && withSelectors ? accessCertificateRequest : () => '',
    ],
    ...(withSelectors
      ? ([
          ['/nodes', accessNode],
          ['/pods', accessPod],
        ] as const)
      : []),
  ]);
}

/** The kinds of objects that a node reads because they are related to it. */
type RelatedKind = Exclude<VertexKind, 'node'>;

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const statusVerbs: ReadonlySet<string> = new Set(['update', 'patch']);
const ownVerbs: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** Allows reads of one related object. A list or watch names it by a field selector. */
function read(request: NodeRequest, kind: RelatedKind): Refusal {
  const { verb, subresource, namespace } = request.attributes;
  if (!readVerbs.has(verb)) return 'can only read resources of this type';
  if (subresource !== '') return 'cannot read subresource';
  if (namespace === '') return 'can only read namespaced object of this type';
  return related(request, kind);
}

function get(request: NodeRequest, kind: RelatedKind): Refusal {
  const { verb, subresource } = request.attributes;
  if (verb !== 'get') return 'can only get individual resources of this type';
  if (subresource !== '') return 'cannot get subresource';
  return related(request, kind);
}

function accessClaim(request: NodeRequest): Refusal {
  return request.attributes.subresource === 'status' ? updateStatus(request, 'claim') : get(request, 'claim');
}

function updateStatus(request: NodeRequest, kind: RelatedKind): Refusal {
  return statusVerbs.has(request.attributes.verb) ? related(request, kind) : 'can only get/update/patch this type';
}

/**
 * Allows tokens for the service accounts of the node's pods; with `readsAccounts` reads of them
 * too.
 */
function accessAccount(request: NodeRequest, readsAccounts: boolean): Refusal {
  const { verb, subresource } = request.attributes;
  return readsAccounts && verb === 'get' && subresource === '' ? read(request, 'account') : createToken(request);
}

function createToken(request: NodeRequest): Refusal {
  const { verb, name, subresource } = request.attributes;
  if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts';
  if (subresource !== 'token') return 'can only create token subresource of service account';
  return related(request, 'account');
}

function related({ nodeName, attributes: { namespace, name }, graph }: NodeRequest, kind: RelatedKind): Refusal {
  if (name === '') return 'No Object name found';
  if (graph.reaches(vertex(kind, namespace, name), vertex('node', '', nodeName))) return undefined;
  return `no relationship found between node '${nodeName}' and this object`;
}

/** Allows the node's own Lease, and any create: admission checks the name of a new Lease. */
function ownLease({ nodeName, attributes: { verb, namespace, name } }: NodeRequest, leaseNamespace: string): Refusal {
  if (!ownVerbs.has(verb)) return 'can only get, create, update, patch, or delete a node lease';
  if (namespace !== leaseNamespace)
    return `can only access leases in the ${JSON.stringify(leaseNamespace)} system namespace`;
  if (verb === 'create' || name === nodeName) return undefined;
  return 'can only access node lease with the same name as the requesting node';
}

function ownCsiNode({ nodeName, attributes: { verb, subresource, name } }: NodeRequest): Refusal {
  if (!ownVerbs.has(verb)) return 'can only get, create, update, patch, or delete a CSINode';
  if (subresource !== '') return 'cannot authorize CSINode subresources';
  if (verb === 'create' || name === nodeName) return undefined;
  return 'can only access CSINode with the same name as the requesting node';
}

const sliceVerbs: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);
const sliceListVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/**
 * Allows the slices of the node's devices, and any create: admission checks the new slice's node.
 */
function accessSlice(request: NodeRequest, withSelectors: boolean): Refusal {
  const { verb, subresource } = request.attributes;
  if (subresource !== '') return 'cannot authorize ResourceSlice subresources';
  if (verb === 'create') return undefined;
  if (sliceVerbs.has(verb)) return related(request, 'resourceslice');
  if (!sliceListVerbs.has(verb)) {
    return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection';
  }
  if (!withSelectors || selectsNode(request, 'nodeName') || selectsNode(request, 'spec.nodeName')) return undefined;
  return 'can only list/watch/deletecollection resourceslices with nodeName field selector';
}

/** Reports whether the field selector of a list limits it to objects of the node. */
function selectsNode({ nodeName, attributes: { fieldSelector = [] } }: NodeRequest, name: string): boolean {
  return fieldSelector.some(({ field, operator, value }) => field === name && operator === '=' && value === nodeName);
}

/** Allows reads of related requests, and any create: admission checks the new request's node. */
function accessCertificateRequest(request: NodeRequest): Refusal {
  const { verb, subresource } = request.attributes;
  if (subresource !== '') return 'nodes may not access the status subresource of PodCertificateRequests';
  if (verb === 'create') return undefined;
  if (verb === 'get') return related(request, 'certificaterequest');
  if (verb !== 'list' && verb !== 'watch') return `nodes may not ${verb} podcertificaterequests`;
  if (selectsNode(request, 'spec.nodeName')) return undefined;
  return 'can only list/watch podcertificaterequests with nodeName field selector';
}

const writtenNode: ReadonlySet<string> = new Set(['create ', 'update ', 'patch ', 'update status', 'patch status']);

/** Allows reads of the node's own Node, and any write: admission limits writes. */
function accessNode({ nodeName, attributes: { verb, subresource, name } }: NodeRequest): Refusal {
  if (writtenNode.has(`${verb} ${subresource}`)) return undefined;
  if (subresource !== '' || !readVerbs.has(verb)) return '';
  if (name === nodeName) return undefined;
  const all = name === '' ? 'all nodes' : `'${name}'`;
  return `node '${nodeName}' cannot read ${all}, only its own Node object`;
}

const writtenPod: ReadonlySet<string> = new Set([
  'create ',
  'delete ',
  'update status',
  'patch status',
  'create eviction',
]);

/** Allows reads of the node's own pods, and any write of a node: admission limits writes. */
function accessPod(request: NodeRequest): Refusal {
  const { verb, subresource, name } = request.attributes;
  if (writtenPod.has(`${verb} ${subresource}`)) return undefined;
  if (subresource !== '' || !readVerbs.has(verb)) return '';
  if (verb === 'get' || (name !== '' && !selectsNode(request, 'spec.nodeName'))) return related(request, 'pod');
  return selectsNode(request, 'spec.nodeName')
    ? undefined
    : 'can only list/watch pods with spec.nodeName field selector';
}

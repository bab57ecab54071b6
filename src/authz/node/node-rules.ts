import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { AuthorizationAttributes } from '../authorizer.ts';
import type { ReferenceGraph } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/** A request of a node. */
interface NodeRequest {
  readonly nodeName: string;
  readonly attributes: AuthorizationAttributes;
  readonly graph: ReferenceGraph;
}

/** A rule for one resource: '' allows, any other text is the reason why it does not. */
type NodeRule = (request: NodeRequest) => string;

/** The rules for the resources of which a node may access some objects only, by group/resource. */
export function nodeRules({ apiDomain, prefix }: Identifiers): ReadonlyMap<string, NodeRule> {
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

import { randomUUID } from 'node:crypto';
import { credentialId } from '../../../authn/service-account/credential-id.ts';
import { issueToken, type TokenOrder } from '../../../authn/service-account/issue-token.ts';
import type { SigningKey } from '../../../authn/jwt/token-key.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { TokenRequest, TokenRequestSpec, BoundObjectReference } from '../../../gen/stored/authentication-v1.ts';
import { nameOf, orderMetadata, uidOf } from '../../../meta/object-meta.ts';
import { formatTime } from '../../../meta/time.ts';
import type { StrategyContext, SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { invalid } from '../../../status/field-error.ts';
import { invalidObject, badRequest, conflict, StatusError } from '../../../status/status-error.ts';
import type { ReferencedKind } from '../../../authn/service-account/token-grant.ts';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import type { InternalClients } from '../../../registry/definition/internal-client.ts';

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
async function boundObjects(
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

/** The settings for new tokens of service accounts (spec 5.2). */
export interface TokenIssuer {
  readonly identifiers: Identifiers;
  /** The `iss` claim. */
  readonly issuer: string;
  /** The audiences of a token whose request names none. */
  readonly audiences: readonly string[];
  /** Returns the current key. */
  readonly key: () => SigningKey;
  /** The longest lifetime; 0: the limit of the API. */
  readonly longestSeconds: number;
  /** True if tokens of projected volumes are valid for a year. */
  readonly extendsLifetime: boolean;
  /** True if tokens have the claim `jti`. */
  readonly hasIds: boolean;
  /** True if tokens can be bound to nodes. */
  readonly bindsNodes: boolean;
  /** True if a token that is bound to a pod names the node of the pod. */
  readonly namesNodeOfPod: boolean;
}

/** The longest lifetime of the API. */
const longestSeconds = 2 ** 32;

/**
 * Kubelets request tokens of projected volumes with this lifetime if the pod names none. Clients of
 * such tokens may not know yet that they must be read again.
 */
const extendedRequestSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/**
 * The `token` sub-resource: issues a token of the service account. If tokens have identities, the
 * audit event of the request has the identity of the token.
 */
export function createToken(issuer: TokenIssuer): SubresourceCreate<TokenRequest> {
  const issuedAnnotation = `authentication.${issuer.identifiers.labelDomain}/issued-credential-id`;
  return async (request, objects, context) => {
    const { name, namespace } = context;
    checkRequest(request, name, issuer.identifiers);
    const account = await objects('', 'serviceaccounts').get(name);
    const { spec } = request;
    const audiences = spec.audiences?.length ? spec.audiences : [...issuer.audiences];
    spec.audiences = audiences;
    const bound = await boundObjects(spec, objects, { account: name, ...issuer });
    shorten(spec, issuer, context);
    const seconds = Number(spec.expirationSeconds);
    const issuedAt = Math.floor(Date.now() / 1000);
    const extended = isExtended(spec, issuer) && bound.some(({ kind }) => kind === 'pod');
    const order: TokenOrder = {
      namespace,
      account: { name, uid: uidOf(account) },
      bound,
      audiences,
      issuedAt,
      expiresAt: issuedAt + (extended ? extendedSeconds : seconds),
      warnAfter: extended ? issuedAt + seconds : undefined,
      id: issuer.hasIds ? randomUUID() : undefined,
    };
    const token = await issueToken(order, { ...issuer, key: issuer.key() });
    if (order.id !== undefined) context.annotate(issuedAnnotation, credentialId(order.id));
    request.metadata.name = name;
    request.metadata.creationTimestamp ??= formatTime(issuedAt * 1000);
    orderMetadata(request);
    return { ...request, status: { token, expirationTimestamp: formatTime((issuedAt + seconds) * 1000) } };
  };
}

/** Throws 422 for errors that the schema does not report. */
function checkRequest(request: TokenRequest, name: string, { apiDomain }: Identifiers): void {
  const subject = { group: `authentication.${apiDomain}`, resource: 'TokenRequest' };
  const own = nameOf(request);
  if (own !== '' && own !== name) {
    const detail = 'must match the service account name if specified';
    throw invalidObject(subject, name, [invalid('metadata.name', own, detail)]);
  }
  const seconds = request.spec.expirationSeconds;
  if (seconds <= longestSeconds) return;
  const detail = 'may not specify a duration larger than 2^32 seconds';
  throw invalidObject(subject, '', [invalid('spec.expirationSeconds', seconds, detail)]);
}

/** Limits the requested lifetime to the limit of the server, with a warning. */
function shorten(
  spec: TokenRequestSpec,
  { longestSeconds: limit }: TokenIssuer,
  context: Pick<StrategyContext, 'warn'>,
): void {
  const seconds = spec.expirationSeconds;
  if (limit === 0 || seconds <= limit) return;
  context.warn(`requested expiration of ${seconds} seconds shortened to ${limit} seconds`);
  spec.expirationSeconds = limit;
}

/**
 * True if the lifetime is extended. Only tokens for this server are extended, because others do not
 * count their uses.
 */
function isExtended(
  { expirationSeconds, audiences }: TokenRequestSpec,
  { extendsLifetime, audiences: own }: TokenIssuer,
): boolean {
  return (
    extendsLifetime &&
    expirationSeconds === extendedRequestSeconds &&
    (audiences ?? []).every((audience) => own.includes(audience))
  );
}

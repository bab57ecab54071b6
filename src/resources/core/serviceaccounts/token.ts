import { randomUUID } from 'node:crypto';
import { credentialId } from '../../../authn/service-account/credential-id.ts';
import { issueToken, type TokenOrder } from '../../../authn/service-account/issue-token.ts';
import type { SigningKey } from '../../../authn/jwt/token-key.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { getMeta, nameOf, orderMetadata, setMeta, uidOf } from '../../../meta/object-meta.ts';
import { makeObjectAt, numberAt, stringsAt } from '../../../meta/read-field.ts';
import { formatTime } from '../../../meta/time.ts';
import type { StrategyContext, SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { invalidObject } from '../../../status/status-error.ts';
import { boundObjects } from './bound-objects.ts';

/** The settings for new tokens of service accounts (spec 5.2). */
export interface TokenIssuer {
  readonly identifiers: Identifiers;
  /** The `iss` claim. */
  readonly issuer: string;
  /** The audiences of a token whose request names none. */
  readonly audiences: readonly string[];
  /** Returns the current key. */
  readonly key: () => SigningKey;
  /** The longest lifetime; 0: that of the API. */
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
 * audit event of the request has that of the token.
 */
export function createToken(issuer: TokenIssuer): SubresourceCreate {
  const issuedAnnotation = `authentication.${issuer.identifiers.labelDomain}/issued-credential-id`;
  return async (request, objects, context) => {
    const { name, namespace } = context;
    checkRequest(request, name, issuer.identifiers);
    const account = await objects('', 'serviceaccounts').get(name);
    const spec = makeObjectAt(request, 'spec');
    if (stringsAt(spec, 'audiences').length === 0) spec['audiences'] = [...issuer.audiences];
    const bound = await boundObjects(spec, objects, { account: name, ...issuer });
    shorten(spec, issuer, context);
    const seconds = secondsOf(spec);
    const issuedAt = Math.floor(Date.now() / 1000);
    const extended = isExtended(spec, issuer) && bound.some(({ kind }) => kind === 'pod');
    const order: TokenOrder = {
      namespace,
      account: { name, uid: uidOf(account) },
      bound,
      audiences: stringsAt(spec, 'audiences'),
      issuedAt,
      expiresAt: issuedAt + (extended ? extendedSeconds : seconds),
      warnAfter: extended ? issuedAt + seconds : undefined,
      id: issuer.hasIds ? randomUUID() : undefined,
    };
    const token = await issueToken(order, { ...issuer, key: issuer.key() });
    if (order.id !== undefined) context.annotate(issuedAnnotation, credentialId(order.id));
    completeMetadata(request, name, issuedAt);
    return { ...request, status: { token, expirationTimestamp: formatTime((issuedAt + seconds) * 1000) } };
  };
}

/** Throws 422 for what the schema does not refuse. */
function checkRequest(request: JsonObject, name: string, { apiDomain }: Identifiers): void {
  const subject = { group: `authentication.${apiDomain}`, resource: 'TokenRequest' };
  const own = nameOf(request);
  if (own !== '' && own !== name) {
    const detail = 'must match the service account name if specified';
    throw invalidObject(subject, name, [invalid('metadata.name', own, detail)]);
  }
  const errors = lifetimeErrors(getOwn(makeObjectAt(request, 'spec'), 'expirationSeconds'));
  if (errors.length > 0) throw invalidObject(subject, '', errors);
}

/** Integers beyond 2^53 are no numbers. */
function lifetimeErrors(seconds: unknown): FieldError[] {
  const isShort = typeof seconds === 'number' && seconds <= longestSeconds;
  if (isShort) return [];
  return [invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds')];
}

/** Limits the requested lifetime to that of the server, with a warning. */
function shorten(
  spec: JsonObject,
  { longestSeconds: limit }: TokenIssuer,
  context: Pick<StrategyContext, 'warn'>,
): void {
  const seconds = secondsOf(spec);
  if (limit === 0 || seconds <= limit) return;
  context.warn(`requested expiration of ${seconds} seconds shortened to ${limit} seconds`);
  spec['expirationSeconds'] = limit;
}

function secondsOf(spec: JsonObject): number {
  return numberAt(spec, 'expirationSeconds') ?? 0;
}

/** Only tokens for this server are extended, because others do not count their uses. */
function isExtended(spec: JsonObject, { extendsLifetime, audiences }: TokenIssuer): boolean {
  return (
    extendsLifetime &&
    secondsOf(spec) === extendedRequestSeconds &&
    stringsAt(spec, 'audiences').every((audience) => audiences.includes(audience))
  );
}

function completeMetadata(request: JsonObject, name: string, issuedAt: number): void {
  setMeta(request, 'name', name);
  if (!getMeta(request, 'creationTimestamp')) setMeta(request, 'creationTimestamp', formatTime(issuedAt * 1000));
  orderMetadata(request);
}

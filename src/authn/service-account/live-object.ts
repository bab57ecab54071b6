import { createHash } from 'node:crypto';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Lister } from '../../meta/lister.ts';
import { deletionTimestampOf, labelsOf, uidOf } from '../../meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { parseTime } from '../../meta/time.ts';
import { clockSkewMs, type Reference, type ReferencedKind, type TokenGrant } from './token-grant.ts';

/** The part of an object that decides about tokens. */
export interface LiveObject {
  readonly uid: string;
  /** The time at which its deletion is due; Infinity while it is not being deleted. */
  readonly deletedAtMs: number;
  /** The digest of the token in a Secret; '' for other objects. A token is not kept in memory. */
  readonly tokenDigest: string;
  /**
   * The dates in the labels of a Secret: the last use of its token, and the day it became invalid.
   */
  readonly lastUsed: string;
  readonly invalidSince: string;
  /** The names of the Secrets that an account lists. */
  readonly secrets: readonly string[];
}

/** Finds the objects that tokens depend on. */
export type LiveObjects = Readonly<Record<ReferencedKind, Pick<Lister<LiveObject>, 'peek' | 'get'>>>;

const noSecrets: readonly string[] = [];

/** Reads a Pod or a Node. */
export function readLiveObject(object: JsonObject): LiveObject {
  const deleted = deletionTimestampOf(object);
  const deletedAtMs = deleted === '' ? Number.POSITIVE_INFINITY : (parseTime(deleted) ?? 0);
  return { uid: uidOf(object), deletedAtMs, tokenDigest: '', lastUsed: '', invalidSince: '', secrets: noSecrets };
}

/** Reads an account with the names of its Secrets. */
export function readLiveAccount(account: JsonObject): LiveObject {
  const secrets = objectsAt(account, 'secrets').map((secret) => stringAt(secret, 'name'));
  return { ...readLiveObject(account), secrets: secrets.length === 0 ? noSecrets : secrets };
}

/** The label of a Secret with the day on which its token was used last. */
export function lastUsedLabel({ labelDomain }: Identifiers): string {
  return `${labelDomain}/legacy-token-last-used`;
}

/** Returns the reader of Secrets, with the digest of their tokens. */
export function liveSecretReader(identifiers: Identifiers): (secret: JsonObject) => LiveObject {
  const lastUsedAt = lastUsedLabel(identifiers);
  const invalidAt = `${identifiers.labelDomain}/legacy-token-invalid-since`;
  return (secret) => {
    const object = readLiveObject(secret);
    const token = Buffer.from(stringAt(objectAt(secret, 'data'), 'token'), 'base64').toString('latin1');
    if (token === '') return object;
    const { [lastUsedAt]: lastUsed = '', [invalidAt]: invalidSince = '' } = labelsOf(secret);
    return { ...object, tokenDigest: tokenDigestOf(token), lastUsed, invalidSince };
  };
}

/** The digest by which the token of a Secret is compared. */
export function tokenDigestOf(token: string): string {
  return createHash('sha256').update(token, 'latin1').digest('base64');
}

/** The moment of a check. */
interface Check {
  readonly objects: LiveObjects;
  readonly nowMs: number;
  readonly cancellation: { readonly signal: AbortSignal };
}

/**
 * Why a grant is void: the first object that it depends on and that is gone or was created again.
 * Undefined if all are there; without waiting if they are cached.
 */
export function deadReference(grant: TokenGrant, check: Check, from = 0): MaybePromise<string | undefined> {
  const { references } = grant;
  for (const [index, reference] of references.entries()) {
    if (index < from) continue;
    const { kind, namespace, name } = reference;
    const lister = check.objects[kind];
    const found = lister.peek(namespace, name) ?? lister.get(namespace, name, check.cancellation.signal);
    if (found instanceof Promise) {
      return found.then(
        (object) => problemOf(grant, reference, object, check.nowMs) ?? deadReference(grant, check, index + 1),
      );
    }
    const problem = problemOf(grant, reference, found, check.nowMs);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Objects of bound tokens count as gone when their deletion is overdue by the clock skew, objects
 * of legacy tokens as soon as it begins; both as in kube-apiserver.
 */
function problemOf(
  { legacy }: TokenGrant,
  { kind, namespace, name, uid, tokenDigest }: Reference,
  object: LiveObject | undefined,
  nowMs: number,
): string | undefined {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  const limitMs = legacy ? Number.POSITIVE_INFINITY : nowMs - clockSkewMs;
  if (!object || object.deletedAtMs < limitMs) return `${kind} ${where} of the token does not exist any more`;
  if (uid !== undefined && object.uid !== uid) return `${kind} ${where} has another UID than the token names`;
  if (tokenDigest !== undefined && object.tokenDigest !== tokenDigest) {
    return `${kind} ${where} does not contain the token`;
  }
  return undefined;
}

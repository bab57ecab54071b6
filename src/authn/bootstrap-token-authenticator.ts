import { createHash, timingSafeEqual } from 'node:crypto';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { Lister } from '../meta/lister.ts';
import { deletionTimestampOf } from '../meta/object-meta.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';
import { parseTime } from '../meta/time.ts';
import type { UserInfo } from '../meta/user-info.ts';
import type { AuthenticationResult, Authenticator } from './authenticator.ts';

/** A bootstrap token: the id is public, the secret is not (spec 5.9). */
const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** The group of all clients with a bootstrap token, and the pattern of their other groups. */
const bootstrapGroup = 'system:bootstrappers';
const extraGroupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The part of a bootstrap token's Secret that decides about it. */
export interface BootstrapSecret {
  /** The user of the token; undefined if the Secret has no usable token. */
  readonly user: UserInfo | undefined;
  /** The digest of the secret part, which is not kept in memory. */
  readonly digest: Buffer;
  /** Infinity if the token does not expire. */
  readonly expiresMs: number;
}

/** The dependencies of the authenticator; `now` is for tests. */
interface BootstrapTokenOptions {
  readonly identifiers: Pick<Identifiers, 'prefix'>;
  readonly secrets: Pick<Lister<BootstrapSecret>, 'peek' | 'get'>;
  readonly now?: () => number;
}

/**
 * Authenticates bootstrap tokens, with which a new node joins (spec 5.9, 2.6): Secrets in the
 * system namespace. Other tokens, also those with a wrong secret, are left to other authenticators.
 */
export function bootstrapTokenAuthenticator(options: BootstrapTokenOptions): Authenticator {
  const { identifiers, secrets, now = Date.now } = options;
  const namespace = `${identifiers.prefix}system`;
  return {
    name: 'bootstrap-token',
    authenticate({ bearerToken, cancellation }) {
      const [, id, secret] = tokenPattern.exec(bearerToken ?? '') ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const name = `bootstrap-token-${id}`;
      const found: MaybePromise<BootstrapSecret | undefined> =
        secrets.peek(namespace, name) ?? secrets.get(namespace, name, cancellation.signal);
      return found instanceof Promise ? found.then((stored) => accept(stored, secret)) : accept(found, secret);
    },
  };

  function accept(stored: BootstrapSecret | undefined, secret: string): AuthenticationResult {
    if (!stored?.user || stored.expiresMs <= now()) return undefined;
    return timingSafeEqual(stored.digest, digestOf(secret)) ? { user: stored.user } : undefined;
  }
}

/** Reads the Secret of a bootstrap token; any other Secret is one without a token. */
export function readBootstrapSecret(
  secret: JsonObject,
  { labelDomain }: Pick<Identifiers, 'labelDomain'>,
): BootstrapSecret {
  const data = objectAt(secret, 'data');
  const valueOf = (key: string): string => Buffer.from(stringAt(data, key), 'base64').toString('utf8');
  const [id, secretPart, expiration] = ['token-id', 'token-secret', 'expiration'].map(valueOf) as [
    string,
    string,
    string,
  ];
  const groups = groupsOf(valueOf('auth-extra-groups'));
  const isUsable =
    stringAt(secret, 'type') === `bootstrap.${labelDomain}/token` &&
    deletionTimestampOf(secret) === '' &&
    stringAt(objectAt(secret, 'metadata'), 'name') === `bootstrap-token-${id}` &&
    tokenPattern.test(`${id}.${secretPart}`) &&
    valueOf('usage-bootstrap-authentication') === 'true';
  return {
    user: isUsable && groups ? { username: `system:bootstrap:${id}`, uid: '', groups, extra: {} } : undefined,
    digest: digestOf(secretPart),
    // A token whose time cannot be read has expired.
    expiresMs: expiration === '' ? Number.POSITIVE_INFINITY : (parseTime(expiration) ?? 0),
  };
}

/** The sorted groups of a token; undefined if it names one that it may not have. */
function groupsOf(extra: string): readonly string[] | undefined {
  const names = extra === '' ? [] : extra.split(',');
  if (!names.every((name) => extraGroupPattern.test(name))) return undefined;
  return [...new Set([bootstrapGroup, ...names])].toSorted();
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

import { pause } from '../../async/timers.ts';
import { stringAt, objectsAt } from '../../meta/read-field.ts';
import type { JsonClient } from '../../outbound/json-client.ts';
import type { VerificationKey } from '../jwt/token-key.ts';
import { type JwtIssuer, providerUrlError } from './jwt-issuer.ts';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../../meta/json-value.ts';

/** A provider has a handful of keys. */
const mostKeys = 100;

/** Smaller keys are not secure (RFC 7518 3.3). */
const leastRsaBits = 2048;

const curveAlgorithms: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);
const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

/**
 * Reads the public keys of a JSON Web Key Set (RFC 7517) that verify signatures by one of the
 * algorithms. Keys of other kinds and uses are skipped.
 */
function readKeySet(set: JsonObject, algorithms: readonly string[]): VerificationKey[] {
  return objectsAt(set, 'keys')
    .slice(0, mostKeys)
    .flatMap((jwk) => {
      const use = stringAt(jwk, 'use');
      const publicKey = use === '' || use === 'sig' ? publicKeyOf(jwk) : undefined;
      if (!publicKey) return [];
      const own = stringAt(jwk, 'alg');
      const [first, ...more] = algorithmsOf(publicKey).filter(
        (algorithm) => algorithms.includes(algorithm) && (own === '' || own === algorithm),
      );
      return first === undefined ? [] : [{ id: stringAt(jwk, 'kid'), publicKey, algorithms: [first, ...more] }];
    });
}

function publicKeyOf(jwk: JsonObject): KeyObject | undefined {
  const kty = stringAt(jwk, 'kty');
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  // Only public members are passed on.
  const { crv = '', n = '', e = '', x = '', y = '' } = jwk;
  const key: JsonWebKey =
    kty === 'RSA' ? { kty, n: text(n), e: text(e) } : { kty, crv: text(crv), x: text(x), y: text(y) };
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): readonly string[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') return modulusLength < leastRsaBits ? [] : rsaAlgorithms;
  const algorithm = curveAlgorithms.get(namedCurve);
  return algorithm === undefined ? [] : [algorithm];
}

/** The pauses between requests to a provider. */
export interface ProviderTiming {
  /** Until the first answer of the provider. */
  readonly retryMs: number;
  /** At least between two fetches for unknown keys, so that wrong tokens do not cause more. */
  readonly cooldownMs: number;
  /** After this time keys are fetched again, so that removed ones are forgotten. */
  readonly maxAgeMs: number;
}

/** Retries as kube-apiserver. */
export const defaultProviderTiming: ProviderTiming = Object.freeze({
  retryMs: 10_000,
  cooldownMs: 5_000,
  maxAgeMs: 600_000,
});

/** The dependencies of the keys of a provider. */
interface ProviderKeysOptions {
  readonly issuer: JwtIssuer;
  readonly client: JsonClient;
  readonly timing: ProviderTiming;
  /** Called after each fetch with other keys than before. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The media type of key sets (RFC 7517, 8.5.2), and the one that most providers use. */
const keySetTypes = 'application/jwk-set+json, application/json';

/**
 * The keys of an OpenID provider (spec 5.3), found by discovery. They are fetched in the background
 * until the provider answers, and again for tokens with an unknown key. Keys stay in use while the
 * provider does not answer.
 */
export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  #current: readonly VerificationKey[] | undefined;
  #identity = '';
  #running: Promise<void> | undefined;
  #lastMs = -Infinity;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
  }

  /** Fetches the keys until that succeeds or the signal aborts. */
  async start(): Promise<void> {
    const { timing, signal } = this.#options;
    while (!signal.aborted) {
      await this.#fetchOnce();
      if (this.#current) return;
      await pause(timing.retryMs, signal, { ref: false });
    }
  }

  /** The last fetched keys; undefined if the provider has never answered. */
  get current(): readonly VerificationKey[] | undefined {
    const { timing, signal } = this.#options;
    const isOld = performance.now() - this.#lastMs > timing.maxAgeMs;
    if (this.#current && isOld && !signal.aborted) void this.#fetchOnce();
    return this.#current;
  }

  /** Fetches the keys again, unless that was done recently; a running fetch is shared. */
  async refresh(): Promise<void> {
    const { timing, signal } = this.#options;
    const isRecent = performance.now() - this.#lastMs < timing.cooldownMs;
    if (this.#running || (!isRecent && !signal.aborted)) await this.#fetchOnce();
  }

  /** Never rejects. */
  #fetchOnce(): Promise<void> {
    this.#running ??= this.#fetch()
      .catch((error: unknown) => {
        if (!this.#options.signal.aborted) this.#options.onError(error);
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #fetch(): Promise<void> {
    this.#lastMs = performance.now();
    const { issuer, client, signal, onChange } = this.#options;
    const { body: discovered } = await client.request({ method: 'GET', url: discoveryUrlOf(issuer), signal });
    if (discovered['issuer'] !== issuer.url) {
      throw new Error(`the discovery document is of another issuer than ${issuer.url}`);
    }
    const url = stringAt(discovered, 'jwks_uri');
    const problem = providerKeysError(url);
    if (problem !== undefined) throw new Error(`the jwks_uri of ${issuer.url} ${problem}`);
    const { body } = await client.request({ method: 'GET', url, headers: { accept: keySetTypes }, signal });
    const keys = readKeySet(body, issuer.signingAlgorithms);
    if (keys.length === 0) throw new Error(`${issuer.url} has no keys for ${issuer.signingAlgorithms.join(', ')}`);
    this.#current = keys;
    const identity = JSON.stringify(
      keys.map(({ id, algorithms, publicKey }) => [id, algorithms, publicKey.export({ format: 'jwk' })]),
    );
    if (identity === this.#identity) return;
    this.#identity = identity;
    onChange();
  }
}

/** The URL of keys may have a query. */
function providerKeysError(url: string): string | undefined {
  return providerUrlError(url.split('?')[0] ?? '');
}

function discoveryUrlOf({ url, discoveryUrl }: JwtIssuer): string {
  return discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompactSign } from 'jose';
import { signingKeyOf } from '../../../src/authn/jwt/token-key.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';

/** Claims of a token that a test signs itself. */
export type Claims = Record<string, unknown>;

/** A server whose signing key the test has too. */
export interface ServiceAccountWorld {
  readonly server: TestServer;
  /** The directory of the key files. */
  readonly directory: string;
  readonly key: KeyObject;
  /** Creates an object of the core group in the namespace `default`; returns its uid. */
  create(resource: string, object: object): Promise<string>;
  remove(resource: string, name: string): Promise<void>;
  /** Requests a token of the account `robot`. */
  requestToken(spec?: object, options?: { readonly query?: string; readonly metadata?: object }): Promise<HttpResponse>;
  /** A token of the account `robot` from the server. */
  token(spec?: object): Promise<string>;
  /** The HTTP status of a read with a token. */
  statusOf(token: string): Promise<number>;
  /** The status of a TokenReview. */
  review(token: string, audiences?: readonly string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** A new RSA key. */
export function rsaKey(bits = 2048): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;
}

/** The signing key of all worlds: generating one takes as long as a test. */
let sharedKey: KeyObject | undefined;

/** A new EC key. */
export function ecKey(namedCurve = 'P-256'): KeyObject {
  return generateKeyPairSync('ec', { namedCurve }).privateKey;
}

/** The PEM of a private key. */
export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The PEM of the public part of a private key. */
export function publicPemOf(key: KeyObject): string {
  return createPublicKey(createPrivateKey(pemOf(key)))
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

/** Signs claims, or any text as the payload. The header is that of the server unless it is given. */
export async function signed(payload: Claims | string, key: KeyObject, header: object = {}): Promise<string> {
  const { id, algorithms } = signingKeyOf(key);
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return await new CompactSign(bytes).setProtectedHeader({ alg: algorithms[0], kid: id, ...header }).sign(key);
}

/** The claims of a token. */
export function claimsOf(token: string): Claims & { readonly exp: number; readonly iat: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

/** Starts a server with a signing key of the test, unless it generates one, and the account `robot`. */
export async function serviceAccountWorld({
  generatesKey = false,
  ...options
}: TestServerOptions & { readonly generatesKey?: boolean } = {}): Promise<ServiceAccountWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-identity-'));
  const key = (sharedKey ??= rsaKey());
  const serviceAccountSigningKeyFile = path.join(directory, 'signing.key');
  await writeFile(serviceAccountSigningKeyFile, pemOf(key), { mode: 0o600 });
  const server = await startServer({ ...(generatesKey ? {} : { serviceAccountSigningKeyFile }), ...options });
  const core = '/api/v1/namespaces/default';
  const group = server.identifiers === 'cluster' ? 'authentication.cl.io' : 'authentication.k8s.io';
  const world: ServiceAccountWorld = {
    server,
    directory,
    key,
    create: async (resource, object) => {
      const { body } = await request(server, 'POST', `${core}/${resource}`, object);
      return (body as { metadata: { uid: string } }).metadata.uid;
    },
    remove: async (resource, name) => {
      await request(server, 'DELETE', `${core}/${resource}/${name}`, { gracePeriodSeconds: 0 });
    },
    requestToken: (spec = {}, { query = '', metadata = {} } = {}) =>
      request(server, 'POST', `${core}/serviceaccounts/robot/token${query}`, { spec, metadata }),
    token: async (spec) => {
      const { body } = await world.requestToken(spec);
      return (body as { status: { token: string } }).status.token;
    },
    statusOf: async (token) =>
      (await request(server, 'GET', '/api/v1/namespaces', undefined, { authorization: `Bearer ${token}` })).status,
    review: async (token, audiences) => {
      const { body } = await request(server, 'POST', `/apis/${group}/v1/tokenreviews`, { spec: { token, audiences } });
      return (body as { status: Record<string, unknown> }).status;
    },
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await world.create('serviceaccounts', { metadata: { name: 'robot' } });
  return world;
}

import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { type CompactJWSHeaderParameters, CompactSign } from 'jose';
import { answer, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** An OpenID provider on a free port of the loopback, whose parts a test can change and break. */
export interface LocalIssuer extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
  readonly server: TlsServer;
  /** The keys of its JWKS. */
  keys: IssuerKey[];
  /** Fields of its discovery document besides `issuer` and `jwks_uri`, or in place of them. */
  discovery: Record<string, unknown>;
  /** The status of its answers. */
  status: number;
  /** How often its keys were fetched. */
  readonly fetches: () => number;
  /** Signs claims with its first key; `iss`, `aud`, `sub` and `exp` have defaults. */
  token(
    claims?: Record<string, unknown>,
    header?: Partial<CompactJWSHeaderParameters>,
    key?: IssuerKey,
  ): Promise<string>;
}

/** Makes a key pair: RSA, or EC for algorithms of ECDSA. */
export function issuerKey(alg = 'RS256'): IssuerKey {
  const pair = alg.startsWith('ES')
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: randomUUID(), alg, ...pair };
}

/** The first key of all issuers: generating one takes as long as a test. */
let firstKey: IssuerKey | undefined;

/** The default claims of a token. */
export function claimsOf(url: string): Record<string, unknown> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return { iss: url, aud: 'client', sub: 'ann', iat: nowSeconds, exp: nowSeconds + 600 };
}

/** Starts an issuer. */
export async function startIssuer(): Promise<LocalIssuer> {
  const server = await startTlsServer();
  const url = server.settings.server;
  const issuer: LocalIssuer = {
    url,
    ca: server.settings.ca ?? '',
    server,
    keys: [{ ...(firstKey ??= issuerKey()), kid: randomUUID() }],
    discovery: {},
    status: 200,
    fetches: () => server.seen.filter((seen) => seen.url === '/keys').length,
    async token(claims = {}, header = {}, key = issuer.keys[0]) {
      if (!key) throw new Error('the issuer has no key');
      const payload = Buffer.from(JSON.stringify({ ...claimsOf(url), ...claims }));
      const signer = new CompactSign(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header });
      return await signer.sign(key.privateKey);
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
  server.handle = (seen, response) => {
    if (seen.url === '/keys') {
      const keys = issuer.keys.map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        use: 'sig',
      }));
      answer(response, issuer.status, { keys });
    } else answer(response, issuer.status, { issuer: url, jwks_uri: `${url}/keys`, ...issuer.discovery });
  };
  return issuer;
}

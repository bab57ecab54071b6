import { findUser } from '../../../src/authn/find-user.ts';
import type { AuthenticationRequest } from '../../../src/authn/authenticator.ts';
import { signingKeyOf } from '../../../src/authn/jwt/token-key.ts';
import { issueToken } from '../../../src/authn/service-account/issue-token.ts';
import type { LiveObjects } from '../../../src/authn/service-account/live-object.ts';
import { serviceAccountTokenAuthenticator } from '../../../src/authn/service-account/service-account-token.ts';
import { createTokenCacheMetrics } from '../../../src/authn/token-cache-metrics.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import type { Figures } from '../figures.ts';
import { compare, type Scenario } from './scenario.ts';

const identifiers = identifiersOf('kubernetes');
const issuer = 'https://kubernetes.default.svc';
const requests = 100_000;
const verifications = 1000;

/** Objects that are in the cache and alive. */
function liveObjects(): LiveObjects {
  const labels = { lastUsed: '', invalidSince: '', secrets: [] };
  const object = { uid: 'u', deletedAtMs: Number.POSITIVE_INFINITY, tokenDigest: '', ...labels };
  const lister = { peek: () => object, get: () => object };
  return { serviceaccount: lister, secret: lister, pod: lister, node: lister };
}

/** The token of a pod, and a way to authenticate it: with a memory of verified tokens, or without. */
async function world() {
  const key = signingKeyOf(await generateKey());
  const issuedAt = Math.floor(Date.now() / 1000);
  const order = {
    namespace: 'default',
    account: { name: 'robot', uid: 'u' },
    bound: [{ kind: 'pod', name: 'p', uid: 'u' }] as const,
    audiences: [issuer],
    issuedAt,
    expiresAt: issuedAt + 3600,
    warnAfter: undefined,
    id: undefined,
  };
  const bearerToken = await issueToken(order, { identifiers, issuer, key });
  const cancellation = { signal: new AbortController().signal };
  const request: AuthenticationRequest = { bearerToken, clientCertificate: undefined, rawHeaders: [], cancellation };
  let keys = [key];
  const authenticator = serviceAccountTokenAuthenticator({
    identifiers,
    issuers: [issuer],
    audiences: [issuer],
    lookUp: true,
    keys: () => keys,
    objects: liveObjects(),
    onUse: () => {},
    metrics: createTokenCacheMetrics(new MetricsRegistry()),
  });
  return {
    ask: () => findUser([authenticator], request, { anonymous: false }),
    forget: () => (keys = [key]),
  };
}

async function measured(count: number, work: () => unknown): Promise<Figures> {
  const start = process.cpuUsage();
  const startMs = performance.now();
  for (let number = 0; number < count; number++) {
    const pending = work();
    if (pending instanceof Promise) await pending;
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (performance.now() - startMs) / 1000;
  return { cpuMicros: (user + system) / count, operationsPerSecond: count / seconds };
}

/** Authentication by the token of a service account in this process: a known token, and a new one. */
export const authentication: Scenario = {
  name: 'authenticate-token',
  async run({ lab, report }) {
    const { ask, forget } = await world();
    await ask();
    report({
      scenario: 'authenticate-token, known',
      figures: await compare(lab.settings.rounds, 'cpuMicros', { ours: () => measured(requests, ask) }),
      compared: 'cpuMicros',
      note: 'one request by the token of a pod whose signature was verified before; account and pod are looked up',
    });
    const anew = (): unknown => {
      forget();
      return ask();
    };
    report({
      scenario: 'authenticate-token, new',
      figures: await compare(lab.settings.rounds, 'cpuMicros', { ours: () => measured(verifications, anew) }),
      compared: 'cpuMicros',
      note: 'the same with a token whose signature is not known yet (ES256)',
    });
  },
};

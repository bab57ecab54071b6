import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { request } from '../http-client.ts';
import { claimsOf, serviceAccountWorld, type ServiceAccountWorld, signed } from '../identity/service-account-world.ts';
import { readEvents } from './audited-server.ts';

const username = 'system:serviceaccount:default:robot';
const namespaces = '/api/v1/namespaces';
const legacyToken = 'authentication.k8s.io/legacy-token';
const staleToken = 'authentication.k8s.io/stale-token';

describe('audit events of requests with tokens of service accounts', () => {
  let directory: string;
  let logPath: string;
  let world: ServiceAccountWorld;
  let nextId = 0;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-'));
    logPath = path.join(directory, 'audit.log');
    const auditPolicyFile = path.join(directory, 'policy.yaml');
    await writeFile(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    world = await serviceAccountWorld({
      identifiers: 'kubernetes',
      auditPolicyFile,
      auditLog: { path: logPath },
      emulationForwardCompatible: true,
      authorizationMode: 'RBAC',
    });
  });
  after(async () => {
    await world.stop();
    await rm(directory, { recursive: true });
  });

  /** Sends a request; returns the event of its end, or its only one. */
  async function lastEvent(method: string, url: string, body?: object, token = world.server.token) {
    const id = `id-${nextId++}`;
    await request(world.server, method, url, body, { authorization: `Bearer ${token}`, 'audit-id': id });
    const event = (await readEvents(logPath)).findLast(({ auditID }) => auditID === id);
    return event ?? assert.fail(`${method} ${url} is not recorded`);
  }

  /** The annotations of a read with a token, without those of authorization. */
  async function annotationsFor(token: string): Promise<object> {
    const { annotations = {} } = await lastEvent('GET', namespaces, undefined, token);
    return Object.fromEntries(Object.entries(annotations).filter(([name]) => !name.startsWith('authorization.')));
  }

  it('say which account uses a legacy token, also one that has ended', async () => {
    const uid = await world.create('serviceaccounts', { metadata: { name: 'old' } });
    const at = 'kubernetes.io/serviceaccount';
    const token = await signed(
      {
        iss: 'kubernetes/serviceaccount',
        sub: 'system:serviceaccount:default:old',
        [`${at}/namespace`]: 'default',
        [`${at}/secret.name`]: 'old-token',
        [`${at}/service-account.name`]: 'old',
        [`${at}/service-account.uid`]: uid,
      },
      world.key,
    );
    const expected = { [legacyToken]: 'system:serviceaccount:default:old' };
    assert.deepEqual(await annotationsFor(token), expected, 'it has no Secret');
    const annotations = { 'kubernetes.io/service-account.name': 'old', 'kubernetes.io/service-account.uid': uid };
    const type = 'kubernetes.io/service-account-token';
    await world.create('secrets', { metadata: { name: 'old-token', annotations }, type, stringData: { token } });
    assert.equal(await world.statusOf(token), 403, 'it is valid');
    const manual = { 'authentication.k8s.io/legacy-token-manual-secret': 'old-token' };
    assert.deepEqual(await annotationsFor(token), { ...expected, ...manual });
    const review = await lastEvent('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    assert.equal(review.annotations?.[legacyToken], expected[legacyToken], 'a review uses it too');
  });

  it('say for how long a token should have been replaced', async () => {
    const token = await world.token();
    assert.deepEqual(await annotationsFor(token), {});
    const claims = claimsOf(token);
    const own = claims['kubernetes.io'] as object;
    const stale = { ...claims, 'kubernetes.io': { ...own, warnafter: claims.iat - 100 } };
    const { [staleToken]: text = '', ...rest } = (await annotationsFor(await signed(stale, world.key))) as Record<
      string,
      string
    >;
    assert.deepEqual(rest, {});
    assert.match(text, new RegExp(`^subject: ${username}, seconds after warning threshold: 1\\d\\d$`));
  });

  it('have the identity of a token that is issued, and of one that is used', async () => {
    const { annotations } = await lastEvent('POST', `${namespaces}/default/serviceaccounts/robot/token`, {});
    assert.match(annotations?.['authentication.kubernetes.io/issued-credential-id'] ?? '', /^JTI=[0-9a-f-]{36}$/);
    const token = await world.token();
    const { user } = await lastEvent('GET', namespaces, undefined, token);
    assert.deepEqual(user['extra'], {
      'authentication.kubernetes.io/credential-id': [`JTI=${String(claimsOf(token)['jti'])}`],
    });
  });
});

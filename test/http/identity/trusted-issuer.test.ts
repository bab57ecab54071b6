import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { freePort } from '../../free-ports.ts';
import { until } from '../until.ts';
import { serviceAccountWorld, type ServiceAccountWorld } from './service-account-world.ts';
import { type Seen, whoami } from './whoami.ts';

const discoveryPaths = ['/.well-known/openid-configuration', '/openid/v1/jwks'];

describe('another server that trusts the issuer of service accounts', () => {
  let world: ServiceAccountWorld;
  let other: TestServer;
  let issuerUrl: string;
  before(async () => {
    // The issuer is named before its server starts.
    const securePort = await freePort();
    issuerUrl = `https://127.0.0.1:${securePort}`;
    world = await serviceAccountWorld({
      securePort,
      serviceAccountIssuers: [issuerUrl],
      serviceAccountJwksUri: `${issuerUrl}/openid/v1/jwks`,
      alwaysAllowPaths: ['/readyz', ...discoveryPaths],
    });
    const caFile = path.join(world.directory, 'issuer-ca.pem');
    await writeFile(caFile, world.server.ca);
    const claims = { usernameClaim: 'sub', groupsPrefix: '', requiredClaims: {}, signingAlgorithms: ['RS256'] };
    other = await startServer({
      oidc: { issuerUrl, clientId: 'elsewhere', caFile, usernamePrefix: 'one:', ...claims },
    });
  });
  after(async () => {
    await other.stop();
    await world.stop();
  });

  const seenBy = (server: TestServer, token: string): Promise<Seen> =>
    whoami(server, { authorization: `Bearer ${token}` });

  it('knows its accounts by the tokens that are meant for it', async () => {
    const token = await world.token({ audiences: ['elsewhere'] });
    await until('the keys are fetched', async () => (await seenBy(other, token)).status === 201);
    assert.deepEqual((await seenBy(other, token)).user, {
      username: 'one:system:serviceaccount:default:robot',
      groups: ['system:authenticated'],
    });
    assert.equal((await seenBy(world.server, token)).status, 401, 'it is not meant for its issuer');
  });

  it('refuses the tokens that are meant for their issuer', async () => {
    const token = await world.token();
    assert.equal((await seenBy(world.server, token)).status, 201);
    assert.equal((await seenBy(other, token)).status, 401);
  });
});

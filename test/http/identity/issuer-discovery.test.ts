import assert from 'node:assert/strict';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from '../http-client.ts';
import { ecKey, publicPemOf, serviceAccountWorld, type ServiceAccountWorld } from './service-account-world.ts';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

describe('discovery of the issuer of service account tokens', () => {
  let world: ServiceAccountWorld;
  before(async () => {
    const first = await serviceAccountWorld();
    const file = path.join(first.directory, 'other.pem');
    await writeFile(file, publicPemOf(ecKey()));
    world = await serviceAccountWorld({ serviceAccountKeyFiles: [file] });
    await first.stop();
  });
  after(() => world.stop());

  it('lets another server verify a token with what is published alone', async () => {
    const token = await world.token({ audiences: ['elsewhere'] });
    const configuration = (await request(world.server, 'GET', configurationPath)).body as {
      issuer: string;
      jwks_uri: string;
    };
    assert.equal(configuration.jwks_uri, `https://127.0.0.1:${world.server.port}${keysPath}`);
    const { body } = await request(world.server, 'GET', new URL(configuration.jwks_uri).pathname);
    // The document is what is under test.
    const keys = createLocalJWKSet(body as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, { issuer: configuration.issuer, audience: 'elsewhere' });
    assert.equal(payload.sub, 'system:serviceaccount:default:robot');
  });

  it('publishes the public parts of all keys, and how long copies may be used', async () => {
    const configuration = await request(world.server, 'GET', configurationPath);
    assert.equal(configuration.headers['content-type'], 'application/json');
    assert.equal(configuration.headers['cache-control'], 'public, max-age=3600');
    const { issuer, jwks_uri: _, ...rest } = configuration.body as Record<string, unknown>;
    assert.equal(issuer, 'https://cluster.default.svc');
    assert.deepEqual(rest, {
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    });
    const published = await request(world.server, 'GET', keysPath);
    assert.equal(published.headers['content-type'], 'application/jwk-set+json');
    assert.equal(published.headers['cache-control'], 'public, max-age=3600');
    const { keys } = published.body as { keys: readonly Record<string, unknown>[] };
    assert.deepEqual(
      keys.map((key) => Object.keys(key)),
      [
        ['use', 'kty', 'kid', 'alg', 'n', 'e'],
        ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
      ],
    );
  });

  it('is refused in other formats, for other methods, and without a credential', async () => {
    const { server } = world;
    const accept = (value: string) => request(server, 'GET', keysPath, undefined, { accept: value });
    for (const type of ['application/json', 'text/html']) {
      assert.equal((await accept(type)).status, 406, type);
    }
    for (const type of ['application/jwk-set+json', '*/*', 'application/*', 'text/html, application/jwk-set+json']) {
      assert.equal((await accept(type)).status, 200, type);
    }
    assert.equal((await request(server, 'POST', keysPath, {})).status, 405);
    assert.equal((await request(server, 'GET', `${keysPath}/`)).status, 200);
    const headers = { authorization: '' };
    assert.equal((await request(server, 'GET', keysPath, undefined, headers)).status, 401);
  });

  it('is described by OpenAPI', async () => {
    const { body } = await request(world.server, 'GET', '/openapi/v2');
    const { paths } = body as { paths: Record<string, { get: { operationId: string; produces: unknown } }> };
    const { operationId, produces } = paths[`${keysPath}/`]?.get ?? assert.fail('no path');
    assert.equal(operationId, 'getServiceAccountIssuerOpenIDKeyset');
    assert.deepEqual(produces, ['application/jwk-set+json']);
    const index = (await request(world.server, 'GET', '/openapi/v3')).body as { paths: Record<string, unknown> };
    assert.ok(index.paths[configurationPath.slice(1)]);
    const one = await request(world.server, 'GET', `/openapi/v3${configurationPath}`);
    assert.match(one.text, /getServiceAccountIssuerOpenIDConfiguration/);
  });

  it('is in the index of paths', async () => {
    const { body } = await request(world.server, 'GET', '/');
    const { paths } = body as { paths: readonly string[] };
    assert.ok(paths.includes(configurationPath) && paths.includes(keysPath), paths.join());
  });

  it('names the advertised address in the URL of the keys, in brackets if it is of IPv6', async () => {
    const other = await serviceAccountWorld({ advertiseAddress: 'fd00::5' });
    const { body } = await request(other.server, 'GET', configurationPath);
    assert.equal((body as { jwks_uri: string }).jwks_uri, `https://[fd00::5]:${other.server.port}${keysPath}`);
    await other.stop();
  });

  it('publishes another URL of the keys, and nothing for an issuer that is no URL', async () => {
    const other = await serviceAccountWorld({ serviceAccountJwksUri: 'https://keys.example/jwks' });
    const { body } = await request(other.server, 'GET', configurationPath);
    assert.equal((body as { jwks_uri: string }).jwks_uri, 'https://keys.example/jwks');
    await other.stop();
    const named = await serviceAccountWorld({ serviceAccountIssuers: ['me'] });
    assert.equal((await request(named.server, 'GET', configurationPath)).status, 404);
    assert.equal(await named.statusOf(await named.token()), 200);
    await named.stop();
  });
});

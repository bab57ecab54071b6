import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { everyVersion } from '../every-version.ts';
import { serviceAccountWorld, type ServiceAccountWorld } from './service-account-world.ts';

const issuer = 'https://cluster.default.svc';

describe('reviews of tokens', () => {
  let world: ServiceAccountWorld;
  before(async () => (world = await serviceAccountWorld(everyVersion)));
  after(() => world.stop());

  it('answer the audiences that both token and request name', async () => {
    const token = await world.token({ audiences: [issuer, 'b'] });
    const cases: readonly (readonly [asked: readonly string[], shared: readonly string[]])[] = [
      [[], [issuer]],
      [[issuer], [issuer]],
      [['b', 'c'], ['b']],
      [
        ['b', issuer],
        [issuer, 'b'],
      ],
    ];
    for (const [asked, shared] of cases) {
      const { authenticated, audiences } = await world.review(token, asked);
      assert.equal(authenticated, true, asked.join());
      assert.deepEqual(audiences, shared);
    }
  });

  it('refuse a token for others, and one without audiences for others than this server', async () => {
    const far = await world.token({ audiences: ['far'] });
    for (const [token, asked] of [
      [far, []],
      [await world.token(), ['far']],
      [world.server.token, ['far']],
    ] as const) {
      const { authenticated, user } = await world.review(token, asked);
      assert.equal(authenticated, undefined);
      assert.deepEqual(user, {});
    }
    const { authenticated, audiences } = await world.review(world.server.token, ['far', issuer]);
    assert.deepEqual([authenticated, audiences], [true, [issuer]]);
  });

  it('say why a token is refused', async () => {
    const errorOf = async (token: string, audiences?: readonly string[]) =>
      (await world.review(token, audiences))['error'];
    assert.equal(await errorOf('zork'), 'invalid bearer token');
    assert.equal(
      await errorOf(await world.token(), ['x']),
      `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["x"]]`,
    );
    const token = await world.token();
    assert.match(String(await errorOf(`${token.slice(0, -8)}AAAAAAAA`)), /^\[invalid bearer token, no known key/);
    await world.create('serviceaccounts', { metadata: { name: 'gone' } });
    const path = '/api/v1/namespaces/default/serviceaccounts/gone/token';
    const { body } = await request(world.server, 'POST', path, {});
    await world.remove('serviceaccounts', 'gone');
    assert.match(
      String(await errorOf((body as { status: { token: string } }).status.token)),
      /^\[invalid bearer token, serviceaccount default\/gone of the token does not exist any more\]$/,
    );
  });

  for (const version of ['v1', 'v1beta1']) {
    it(`need a token (${version})`, async () => {
      const path = `/apis/authentication.cl.io/${version}/tokenreviews`;
      for (const body of [{}, { spec: {} }, { spec: { token: '' } }]) {
        const response = await request(world.server, 'POST', path, body);
        assert.equal(response.status, 400);
        assert.equal(
          (response.body as { message: string }).message,
          'token is required for TokenReview in authentication',
        );
      }
      const response = await request(world.server, 'POST', path, { spec: { token: world.server.token } });
      assert.equal(response.status, 201);
      assert.deepEqual((response.body as { status: { audiences: unknown } }).status.audiences, [issuer]);
    });
  }
});

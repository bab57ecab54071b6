import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe('the collision count', () => {
  let server: Fixture;
  before(async () => {
    server = await startFixture();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const resource of ['deployments', 'daemonsets', 'statefulsets']) {
    it(`in the status of ${resource} does not fall`, async () => {
      const path = `/apis/apps/v1/namespaces/ns/${resource}`;
      const body = { metadata: { name: 'w' }, spec: { selector: { matchLabels: labels }, template } };
      assert.equal((await server.send({ method: 'POST', path, body })).status, 201);
      const write = (collisionCount: number | null) =>
        server.send({
          method: 'PATCH',
          path: `${path}/w/status`,
          body: { status: { collisionCount, observedGeneration: 1 } },
          type: 'application/merge-patch+json',
        });
      for (const count of [null, 0]) assert.equal((await write(count)).status, 200);
      assert.equal((await write(null)).status, 422);
      for (const count of [3, 3, 5]) assert.equal((await write(count)).status, 200);
      for (const count of [4, 0, null]) {
        const refused = await write(count);
        assert.equal(refused.status, 422, refused.text);
        assert.deepEqual(refused.at('details.causes'), [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${count ?? 0}: cannot be decremented`,
            field: 'status.collisionCount',
          },
        ]);
      }
    });
  }
});

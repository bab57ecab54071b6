import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const containers = [{ name: 'c', image: 'pause' }];
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** Objects that name others by texts that are no names, and the refusals. */
const refused: readonly (readonly [resource: string, spec: JsonObject, status: number, message: RegExp])[] = [
  ['pods', { containers, priorityClassName: 'a/b' }, 403, /no PriorityClass with name a\/b was found/],
  ['pods', { containers, runtimeClassName: 'a/b' }, 403, /RuntimeClass \\"a\/b\\" not found/],
  ['pods', { containers, serviceAccountName: 'a/b' }, 403, /serviceaccount \\"a\/b\\" not found/],
  ['persistentvolumeclaims', { ...claim, storageClassName: 'a/b' }, 422, /spec\.storageClassName: Invalid value/],
];

describe('admission of objects that name others by texts that are no names', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ admissionPlugins: { enabled: ['ServiceAccount'], disabled: [] }, store: 'memory' });
    const account = await request(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
    });
    assert.equal(account.status, 201, account.text);
  });
  after(() => server.stop());

  for (const [resource, spec, status, message] of refused) {
    it(`refuses ${resource} with a strange ${Object.keys(spec).at(-1)}`, async () => {
      const path = `/api/v1/namespaces/default/${resource}`;
      const response = await request(server, 'POST', path, { metadata: { name: 'a' }, spec });
      assert.equal(response.status, status, response.text);
      assert.match(response.text, message);
    });
  }
});

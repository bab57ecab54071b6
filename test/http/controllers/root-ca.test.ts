import assert from 'node:assert/strict';
import { createClient } from '../../../src/client/index.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;
const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;

describe('the CA of the server', () => {
  it('is in a ConfigMap of each namespace, which is repaired', async () => {
    await using server = await startServer({ controllers: true, identifiers: 'kubernetes' });
    const client = createClient(connectionTo(server));
    const name = 'kube-root-ca.crt';
    await client.resource(namespaces).create({ metadata: { name: 'new' } });
    const data = async (namespace: string) => {
      const found = await client
        .resource(configMaps)
        .get(name, { namespace })
        .catch(() => undefined);
      return JSON.stringify(found?.['data']);
    };
    const published = JSON.stringify({ 'ca.crt': server.ca });
    for (const namespace of ['default', 'new']) {
      await until(`the ConfigMap in ${namespace}`, async () => (await data(namespace)) === published);
    }
    await client.resource(configMaps).patch(name, { data: { 'ca.crt': 'x' } }, { namespace: 'new', type: 'merge' });
    await until('the repair', async () => (await data('new')) === published);
    await client.resource(configMaps).delete(name, { namespace: 'new' });
    await until('another one', async () => (await data('new')) === published);
    assert.equal(await data('default'), published);
    await client.close();
  });
});

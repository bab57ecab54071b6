import assert from 'node:assert/strict';
import { createClient } from '../../../src/client/index.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from './connection-to.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;

describe('the connections of a client', () => {
  it('are used again after a delete with options', async () => {
    await using server = await startServer();
    const proxy = await startTcpProxy(server.port);
    const client = createClient(connectionTo(server, proxy.port));
    for (let turn = 0; turn < 12; turn++) {
      const name = `a${turn}`;
      await client.resource(configMaps).create({ metadata: { name } });
      await client.resource(configMaps).delete(name, { propagationPolicy: 'Background' });
    }
    await client.close();
    await proxy.stop();
    assert.ok(proxy.accepted < 6, `${proxy.accepted} connections for 12 deletes`);
  });
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { request } from '../http-client.ts';
import { createNode, type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { startNodeAgent } from '../../node-agent/start-node-agent.ts';
import { until } from '../until.ts';

async function log(world: NodeWorld, query = ''): Promise<readonly [status: number, text: string]> {
  const { status, text } = await request(world.server, 'GET', `${podsPath}/p/log${query}`);
  return [status, text];
}

describe('the connection to a node agent', () => {
  it('is refused for another certificate authority, unless the client does not mind', async () => {
    await using world = await startNodeWorld();
    await using other = await startNodeAgent();
    other.log('of another agent');
    await createNode(world, 'other', other.port);
    await world.createPod('q', { nodeName: 'other', containers: [{ name: 'c', image: 'i' }] });
    const refused = await request(world.server, 'GET', `${podsPath}/q/log`);
    assert.equal(refused.status, 500);
    assert.match(refused.text, /tls: unable to verify the first certificate|tls: .*self.signed/);
    const insecure = await request(world.server, 'GET', `${podsPath}/q/log?insecureSkipTLSVerifyBackend=true`);
    assert.deepEqual([insecure.status, insecure.text], [200, 'of another agent\n']);
  });

  it('is refused for a certificate with another name', async () => {
    await using world = await startNodeWorld();
    await world.patchStatus('/api/v1/nodes/n', { addresses: [{ type: 'Hostname', address: 'localhost' }] });
    const [status, text] = await log(world);
    assert.equal(status, 500);
    assert.match(text, /tls: Hostname\/IP does not match/);
  });

  it('is not verified without a certificate authority', async () => {
    await using world = await startNodeWorld({ nodeAgent: defaultServerOptions.nodeAgent });
    assert.equal((await log(world))[0], 200);
    assert.equal(world.agent.seen.at(-1)?.clientAuthorized, false);
  });

  it('uses another certificate authority when the file changes', async () => {
    await using world = await startNodeWorld({ certificateReloadMs: 20 });
    assert.equal((await log(world))[0], 200);
    await using other = await startNodeAgent();
    await writeFile(path.join(world.directory, 'agents.crt'), other.ca);
    await until('the agent is no longer trusted', async () => (await log(world))[0] === 500);
    await writeFile(path.join(world.directory, 'agents.crt'), other.ca + world.agent.ca);
    await until('the agent is trusted again', async () => (await log(world))[0] === 200);
  });

  it('uses the preferred type of address, and the port of the flags if the node reports none', async () => {
    const nodeAgent = { ...defaultServerOptions.nodeAgent, https: false, readOnlyPort: 1 };
    await using world = await startNodeWorld({ nodeAgent: { ...nodeAgent, preferredAddressTypes: ['ExternalIP'] } });
    const addresses = [
      { type: 'InternalIP', address: '127.0.0.1' },
      { type: 'ExternalIP', address: '127.0.0.2' },
    ];
    await world.patchStatus('/api/v1/nodes/n', { addresses, daemonEndpoints: null });
    const [status, text] = await log(world);
    assert.equal(status, 500);
    assert.match(text, /Get \\"http:\/\/127\.0\.0\.2:1\/containerLogs\/default\/p\/c\\": dial tcp 127\.0\.0\.2:1/);
  });
});

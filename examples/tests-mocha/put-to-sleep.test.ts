import assert from 'node:assert/strict';
import { builtInResources, createClient, type Client } from 'cl-apiserver/client';
import { startServer, type TestServer } from 'cl-apiserver/testing';
import { putToSleep } from './put-to-sleep.js';

const { deployments } = builtInResources();

describe('putToSleep', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startServer(); // its own control plane, in memory
    client = createClient(server.connection);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  it('scales what sleeps to zero, and nothing else', async () => {
    await client.resource(deployments).create(deployment('web', 'false'));
    await client.resource(deployments).create(deployment('night', 'true'));
    assert.deepEqual(await putToSleep(client, 'default'), ['night']);
    assert.deepEqual(await putToSleep(client, 'default'), []);
    const { spec } = await client.resource(deployments).get('web');
    assert.equal(spec?.replicas, 2);
  });
});

function deployment(name: string, sleeps: string) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: 'example.com/web' }] } };
  return {
    metadata: { name, labels: { ...labels, sleeps } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  };
}

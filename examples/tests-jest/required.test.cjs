const assert = require('node:assert/strict');
const { builtInResources, createClient } = require('cl-apiserver/client');
const { startServer } = require('cl-apiserver/testing');

it('finds the default namespace of a new control plane', async () => {
  const server = await startServer();
  const client = createClient(server.connection);
  try {
    const { metadata } = await client.resource(builtInResources().namespaces).get('default');
    assert.equal(metadata.name, 'default');
  } finally {
    await client.close();
    await server.stop();
  }
});

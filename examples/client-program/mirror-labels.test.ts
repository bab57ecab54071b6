import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInResources, createClient } from 'cl-apiserver/client';
import { startServer } from 'cl-apiserver/testing';
import { mirrorLabels } from './mirror-labels.js';

const { configmaps, namespaces } = builtInResources();

it('mirrors the label of namespaces, those that exist and those that come', async () => {
  const server = await startServer();
  const client = createClient(server.connection);
  const teamOf = async (namespace: string): Promise<string | undefined> => {
    const owner = await client
      .resource(configmaps)
      .get('owner', { namespace })
      .catch(() => undefined);
    return owner?.data?.['team'];
  };
  const becomes = async (namespace: string, team: string): Promise<void> => {
    while ((await teamOf(namespace)) !== team) await sleep(10);
  };
  await client.resource(namespaces).create({ metadata: { name: 'shop', labels: { team: 'red' } } });
  const stop = new AbortController();
  const running = mirrorLabels(client, stop.signal).catch(() => {});
  await becomes('shop', 'red');
  await client.resource(namespaces).create({ metadata: { name: 'bank', labels: { team: 'blue' } } });
  await becomes('bank', 'blue');
  await client.resource(namespaces).patch('shop', { metadata: { labels: { team: 'green' } } }, { type: 'merge' });
  await becomes('shop', 'green');
  assert.equal(await teamOf('default'), undefined);
  stop.abort();
  await running;
  await client.close();
  await server.stop();
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type Client, createClient } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { connectionTo } from './connection-to.ts';
import { runGreeter } from './greeting-operator.ts';

const group = 'example.com';
const definition = {
  metadata: { name: `greetings.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'greetings', singular: 'greeting', kind: 'Greeting', listKind: 'GreetingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { text: { type: 'string' } } },
              status: { type: 'object', properties: { observedGeneration: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
const definitions = {
  group: 'apiextensions.cl.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  namespaced: false,
};
const greetings = { group, version: 'v1', resource: 'greetings' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

describe('the operator of docs/client.md', () => {
  let server: TestServer;
  let client: Client;
  let running: Promise<void>;
  const stop = new AbortController();
  before(async () => {
    server = await startServer();
    client = createClient(connectionTo(server));
    await client.resource(definitions).create(definition);
    await until('the kind to be served', () =>
      client
        .resource(greetings)
        .list()
        .then(
          () => true,
          () => false,
        ),
    );
    running = runGreeter(client, stop.signal);
  });
  after(async () => {
    stop.abort();
    await running;
    await client.close();
    await server.stop();
  });

  const text = async () => {
    const found = await client
      .resource(configMaps)
      .get('hello')
      .catch(() => undefined);
    return (found?.['data'] as { text?: string } | undefined)?.text;
  };
  const spec = (words: string) => ({ spec: { text: words } });

  it('makes, changes and restores what its objects ask for', async () => {
    const type = { apiVersion: `${group}/v1`, kind: 'Greeting' };
    await client.resource(greetings).create({ ...type, metadata: { name: 'hello' }, ...spec('good morning') });
    await until('the ConfigMap', async () => (await text()) === 'good morning');
    await client.resource(greetings).patch('hello', spec('good night'), { type: 'merge' });
    await until('its change', async () => (await text()) === 'good night');
    await client.resource(configMaps).delete('hello');
    await until('its return', async () => (await text()) === 'good night');
    await until('the status', async () => {
      const { metadata, status } = await client.resource(greetings).get('hello');
      return (status as { observedGeneration?: number } | undefined)?.observedGeneration === metadata?.generation;
    });
    await until('the Events', async () => {
      const events = await client.resource({ ...configMaps, resource: 'events' }).list();
      return events.items.filter(({ reason }) => reason === 'Greeted').length === 2;
    });
  });

  it('is the one of the page, in fifty lines', async () => {
    const code = await readFile('test/http/client/greeting-operator.ts', 'utf8');
    const published = code.replace('../../../src/client/index.ts', 'cl-apiserver/client');
    assert.ok((await readFile('docs/client.md', 'utf8')).includes(published));
    assert.ok(code.split('\n').length <= 51);
  });
});

import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { ApiObject } from '../../../src/client/api-object.ts';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient, createInformerFactory, type ResourceClient } from '../../../src/client/index.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { configmaps, resourcequotas, secrets } = builtInResources('cluster');
const namespace = 'default';

describe('the controller of quotas, when events are late', () => {
  it('counts an object that it sees after a count that lacked it', async () => {
    await using server = await startServer();
    const client = createClient(connectionTo(server));
    const stop = new AbortController();
    const late = newDeferred<void>();
    const held = holdEventsFrom(client, 'late', late.promise);
    const controllers = startControllers(
      {
        settings: server.connection,
        identifiers: identifiersOf('cluster'),
        informers: createInformerFactory(held, { signal: stop.signal }),
        options: { controllers: ['resourcequota'] },
      },
      stop.signal,
    );
    try {
      const used = async (): Promise<string> => {
        const { status } = await client.resource(resourcequotas).get('q', { namespace });
        return `${status?.used?.['secrets']} secrets, ${status?.used?.['configmaps']} maps`;
      };
      const quota = { metadata: { name: 'q' }, spec: { hard: { secrets: '9', configmaps: '9' } } };
      await client.resource(resourcequotas).create(quota, { namespace });
      await until('the first count', async () => (await used()) === '0 secrets, 0 maps');
      await client.resource(configmaps).create({ metadata: { name: 'm' } }, { namespace });
      await client.resource(secrets).create({ metadata: { name: 'late' } }, { namespace });
      assert.equal(await used(), '1 secrets, 1 maps');
      await client.resource(configmaps).delete('m', { namespace });
      await until('the count without the secret', async () => (await used()) === '0 secrets, 0 maps');
      late.resolve();
      await until('the count of the secret', async () => (await used()) === '1 secrets, 0 maps');
    } finally {
      stop.abort();
      await controllers.ended;
      await client.close();
    }
  });
});

/** A client whose watches hold back the events from the creation of an object until a promise resolves. */
function holdEventsFrom(client: Client, name: string, released: Promise<void>): Client {
  const hold = <T extends ApiObject>(resource: ResourceClient<T>): ResourceClient<T> => ({
    ...resource,
    async *watch(options) {
      for await (const event of resource.watch(options)) {
        if (event.object.metadata?.name === name) await released;
        yield event;
      }
    },
  });
  return {
    ...client,
    resource: (reference) => hold(client.resource(reference)),
    metadata: (reference) => hold(client.metadata(reference)),
  };
}

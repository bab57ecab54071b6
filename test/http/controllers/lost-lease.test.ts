import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { createClient } from '../../../src/client/index.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer } from '../../../src/testing/index.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const { namespaces, serviceaccounts } = builtInResources('cluster');

describe('controllers whose lease is not held any more', () => {
  for (const ownAccounts of [false, true]) {
    it(`send nothing, before they are told to end${ownAccounts ? ', as accounts of their own' : ''}`, async () => {
      await using server = await startServer();
      const client = createClient(connectionTo(server));
      const stop = new AbortController();
      const errors: string[] = [];
      let held = true;
      const controllers = startControllers(
        {
          settings: server.connection,
          identifiers: identifiersOf('cluster'),
          options: { controllers: ['serviceaccount'], 'use-service-account-credentials': ownAccounts },
          isHeld: () => held,
          onError: (error) => errors.push(String(error)),
        },
        stop.signal,
      );
      const accountIn = (namespace: string) =>
        until(`the account in ${namespace}`, async () => {
          const { items } = await client.resource(serviceaccounts).list({ namespace });
          return items.length > 0;
        });
      await controllers.synced();
      await client.resource(namespaces).create({ metadata: { name: 'before' } });
      await accountIn('before');
      held = false;
      await client.resource(namespaces).create({ metadata: { name: 'after' } });
      await until('the refusal', () => errors.some((error) => error.includes('was not renewed in time')));
      assert.deepEqual((await client.resource(serviceaccounts).list({ namespace: 'after' })).items, []);
      held = true;
      await accountIn('after');
      stop.abort();
      await controllers.ended;
      await client.close();
    });
  }
});

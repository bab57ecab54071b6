import type { ApiObject } from '../../client/api-object.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Namespace, reconcile } from './reconcile.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' } as const;

/** Keeps a service account named `default` in each active namespace. */
export const serviceAccountController: ControllerDefinition = {
  name: 'serviceaccount-controller',
  alias: 'serviceaccount',
  account: 'service-account-controller',
  async run({ client, informers, metrics, onError }: ControllerContext, signal: AbortSignal): Promise<void> {
    const accounts = informers.informer(serviceAccounts);
    const writer = client.resource<ApiObject>(serviceAccounts);
    await controller<Namespace>({
      name: 'serviceaccount',
      informers,
      for: namespaces,
      watches: [watched(serviceAccounts, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }])],
      reconcile: ({ object }) =>
        reconcile(object, {
          exists: (namespace, name) => accounts.get(name, namespace) !== undefined,
          create: (account) => writer.create(account, { signal }),
        }),
      onError,
      metrics,
    }).run(signal);
  },
};

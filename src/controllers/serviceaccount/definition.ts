import { builtInResources } from '../../client/built-in-resources.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { reconcile } from './reconcile.ts';

/** Keeps a service account named `default` in each active namespace. */
export const serviceAccountController: ControllerDefinition = {
  name: 'serviceaccount-controller',
  alias: 'serviceaccount',
  account: 'service-account-controller',
  async run({ client, informers, identifiers, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { namespaces, serviceaccounts } = builtInResources(identifiers.set);
    const accounts = informers.informer(serviceaccounts);
    const writer = client.resource(serviceaccounts);
    await controller({
      name: 'serviceaccount',
      informers,
      for: namespaces,
      watches: [watched(serviceaccounts, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }])],
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

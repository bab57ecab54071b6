import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import type { Namespace, ServiceAccount } from '../../gen/types/core-v1.ts';
import { writeIfActive } from '../is-terminating.ts';

/** The calls of `reconcile`. */
interface ServiceAccountCalls {
  readonly exists: (namespace: string, name: string) => boolean;
  readonly create: (account: ServiceAccount) => Promise<unknown>;
}

/** The accounts that Pods without an account need. */
const names = ['default'];

/** Creates the missing accounts of an active namespace. */
async function reconcile(namespace: Namespace | undefined, { exists, create }: ServiceAccountCalls): Promise<void> {
  const inNamespace = namespace?.metadata?.name ?? '';
  if (namespace?.status?.phase !== 'Active') return;
  for (const name of names.filter((each) => !exists(inNamespace, each))) {
    await writeIfActive(
      create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: inNamespace } }),
    );
  }
}

/** Keeps a service account named `default` in each active namespace. */
export const serviceAccountController: ControllerDefinition = {
  name: 'serviceaccount-controller',
  alias: 'serviceaccount',
  account: 'service-account-controller',
  async run({ client, informers, identifiers, controller }: ControllerContext, signal): Promise<void> {
    const { namespaces, serviceaccounts } = builtInResources(identifiers.set);
    const accounts = informers.informer(serviceaccounts);
    const writer = client.resource(serviceaccounts);
    await controller({
      name: 'serviceaccount',
      for: namespaces,
      watches: [watched(serviceaccounts, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }])],
      reconcile: ({ object }) =>
        reconcile(object, {
          exists: (namespace, name) => accounts.get(name, namespace) !== undefined,
          create: (account) => writer.create(account, { signal }),
        }),
    }).run(signal);
  },
};

import { builtInResources } from '../../client/built-in-resources.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { reconcile } from './reconcile.ts';

/** Keeps a ConfigMap with the CA of the server in each active namespace. */
export const rootCaPublisher: ControllerDefinition = {
  name: 'root-ca-certificate-publisher-controller',
  alias: 'root-ca-cert-publisher',
  account: 'root-ca-cert-publisher',
  async run({ client, informers, identifiers, rootCa, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { rootCaConfigMap: name } = identifiers;
    const { configmaps, namespaces } = builtInResources(identifiers.set);
    const select = { fieldSelector: `metadata.name=${name}` };
    const published = informers.informer(configmaps, select);
    const writer = client.resource(configmaps);
    await controller({
      name: 'root-ca-cert-publisher',
      informers,
      for: namespaces,
      watches: [watched(configmaps, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }], select)],
      reconcile: async ({ object }) => {
        if (rootCa === undefined) return;
        await reconcile(object, {
          rootCa,
          name,
          published: (namespace) => published.get(name, namespace),
          create: (configMap) => writer.create(configMap, { signal }),
          update: (configMap) => writer.update(configMap, { signal }),
        });
      },
      onError,
      metrics,
    }).run(signal);
  },
};

import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type ConfigMap, type Namespace, reconcile } from './reconcile.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false } as const;
const configMaps = { group: '', version: 'v1', resource: 'configmaps' } as const;

/** Keeps a ConfigMap with the CA of the server in each active namespace. */
export const rootCaPublisher: ControllerDefinition = {
  name: 'root-ca-certificate-publisher-controller',
  alias: 'root-ca-cert-publisher',
  account: 'root-ca-cert-publisher',
  async run({ client, informers, identifiers, rootCa, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { rootCaConfigMap: name } = identifiers;
    const select = { fieldSelector: `metadata.name=${name}` };
    const published = informers.informer<ConfigMap>(configMaps, select);
    const writer = client.resource<ConfigMap>(configMaps);
    await controller<Namespace>({
      name: 'root-ca-cert-publisher',
      informers,
      for: namespaces,
      watches: [watched(configMaps, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }], select)],
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

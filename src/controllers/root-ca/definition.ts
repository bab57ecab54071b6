import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import type { ConfigMap, Namespace } from '../../gen/types/core-v1.ts';
import { serverMinor } from '../server-minor.ts';
import { writeIfActive } from '../is-terminating.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The CA, the name of the ConfigMap, and the calls of `reconcile`. */
interface RootCaCalls {
  readonly rootCa: string;
  readonly name: string;
  /** The annotations of the ConfigMap. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly published: (namespace: string) => ConfigMap | undefined;
  readonly create: (configMap: ConfigMap) => Promise<unknown>;
  readonly update: (configMap: ConfigMap) => Promise<unknown>;
}

const key = 'ca.crt';

function describe({ prefix, product }: Identifiers): string {
  return `Contains a CA bundle that can be used to verify the ${prefix}apiserver when using internal endpoints such as the internal service IP or ${product}.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.`;
}

/** Creates or repairs the ConfigMap of an active namespace. */
async function reconcile(
  namespace: Namespace | undefined,
  { rootCa, name, annotations, published, create, update }: RootCaCalls,
): Promise<void> {
  const inNamespace = namespace?.metadata?.name ?? '';
  if (namespace?.status?.phase !== 'Active') return;
  const data = { [key]: rootCa };
  const present = published(inNamespace);
  if (present && present.data?.[key] === rootCa && Object.keys(present.data).length === 1) return;
  await writeIfActive(
    present
      ? update({ ...present, data })
      : create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: inNamespace, annotations }, data }),
  );
}

/** Keeps a ConfigMap with the CA of the server in each active namespace. */
export const rootCaPublisher: ControllerDefinition = {
  name: 'root-ca-certificate-publisher-controller',
  alias: 'root-ca-cert-publisher',
  account: 'root-ca-cert-publisher',
  async run({ client, informers, identifiers, rootCa, controller }: ControllerContext, signal): Promise<void> {
    const { rootCaConfigMap: name } = identifiers;
    const { configmaps, namespaces } = builtInResources(identifiers.set);
    const select = { fieldSelector: `metadata.name=${name}` };
    const published = informers.informer(configmaps, select);
    const writer = client.resource(configmaps);
    const described = { [`${identifiers.labelDomain}/description`]: describe(identifiers) };
    const annotations = (await serverMinor(client, signal)) >= 25 ? described : undefined;
    await controller({
      name: 'root-ca-cert-publisher',
      for: namespaces,
      watches: [watched(configmaps, ({ metadata }) => [{ namespace: '', name: metadata?.namespace ?? '' }], select)],
      reconcile: async ({ object }) => {
        if (rootCa === undefined) return;
        await reconcile(object, {
          rootCa,
          name,
          annotations,
          published: (namespace) => published.get(name, namespace),
          create: (configMap) => writer.create(configMap, { signal }),
          update: (configMap) => writer.update(configMap, { signal }),
        });
      },
    }).run(signal);
  },
};

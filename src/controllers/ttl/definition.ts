import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Node, nodes } from '../resources.ts';
import { ClusterSize } from './cluster-size.ts';

/** Annotates nodes with the seconds that their agents may keep Secrets and ConfigMaps. */
export const ttlController: ControllerDefinition = {
  name: 'ttl-controller',
  alias: 'ttl',
  account: 'ttl-controller',
  run,
};

async function run(
  { client, informers, identifiers, controller }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(nodes);
  const annotation = `node.alpha.${identifiers.labelDomain}/ttl`;
  const size = new ClusterSize();
  const loop = controller<Node>({
    name: 'ttl',
    for: nodes,
    async reconcile({ object, name }) {
      const seconds = String(size.seconds);
      if (!object || object.metadata.annotations?.[annotation] === seconds) return;
      const patch = { metadata: { annotations: { [annotation]: seconds } } };
      await ignoreReasons(client.resource(nodes).patch(name, patch, { type: 'strategic', signal }), 'NotFound');
    },
  });
  const change = (count: number): void => {
    if (size.change(count)) for (const { metadata } of informer.list()) loop.enqueue(metadata.name);
  };
  informer.subscribe({ add: () => change(1), delete: () => change(-1) }, signal);
  await loop.run(signal);
}

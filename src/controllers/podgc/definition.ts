import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { indexByNode, podsOn } from '../workloads/pods-by-node.ts';
import { reconcile } from './reconcile.ts';

/** Time after which a Pod without a node is deleted: the node may be registered again. */
const quarantineMs = 40_000;

const byEnd = 'end';
const ended = 'ended';

/** Deletes Pods that no node agent ends, and the oldest of too many ended ones. */
export const podCollector: ControllerDefinition = {
  name: 'pod-garbage-collector-controller',
  alias: 'podgc',
  account: 'pod-garbage-collector',
  async run({ client, informers, identifiers, options, controller }: ControllerContext, signal): Promise<void> {
    const { nodes, pods } = builtInResources(identifiers.set);
    const known = informers.informer(nodes);
    const all = informers.informer(pods);
    indexByNode(all);
    all.addIndex(byEnd, (pod) => (hasEnded(pod) ? [ended] : []));
    const namesOn = (node: string) =>
      podsOn(all, node).map(({ metadata: { name = '', namespace = '' } = {} }) => ({ name, namespace }));
    /** The times at which nodes were first missed. */
    const missedMs = new Map<string, number>();
    await controller({
      name: 'podgc',
      for: pods,
      watches: [
        watched(nodes, ({ metadata }) => (known.get(metadata?.name ?? '') ? [] : namesOn(metadata?.name ?? ''))),
      ],
      reconcile: ({ object }) =>
        reconcile(object, {
          threshold: options['terminated-pod-gc-threshold'],
          ended: () => all.byIndex(byEnd, ended),
          async nodeGoneMs(node) {
            if (known.get(node)) {
              missedMs.delete(node);
              return undefined;
            }
            const firstMs = missedMs.get(node) ?? performance.now();
            missedMs.set(node, firstMs);
            const waitMs = firstMs + quarantineMs - performance.now();
            if (waitMs > 0) return waitMs;
            try {
              await client.resource(nodes).get(node, { signal });
              return undefined;
            } catch (error) {
              if (hasReason(error, 'NotFound')) return 0;
              throw error;
            }
          },
          remove: (pod) => remove(pod),
        }),
    }).run(signal);

    async function remove({ metadata: { name = '', namespace = '', uid = '' } = {} }: Pod): Promise<void> {
      await ignoreReasons(
        client.resource(pods).delete(name, { namespace, gracePeriodSeconds: 0, preconditions: { uid }, signal }),
        'NotFound',
        'Conflict',
      );
    }
  },
};

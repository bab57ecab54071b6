import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import { createResourceMapper } from '../../client/resource-mapper.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { reconcile, selects } from './reconcile.ts';
import { scaleReader } from './read-scale.ts';

/** Keeps in the status of disruption budgets how many Pods may be evicted now. */
export const disruptionController: ControllerDefinition = {
  name: 'disruption-controller',
  alias: 'disruption',
  component: 'controllermanager',
  account: 'disruption-controller',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, discovery, informers, identifiers, events, controller } = context;
    const { poddisruptionbudgets: stable, pods } = builtInResources(identifiers.set);
    const poddisruptionbudgets = await untilServed({ client, discovery }, stable, ['v1beta1'], signal);
    const budgets = informers.informer(poddisruptionbudgets);
    const all = informers.informer(pods);
    const mapper = createResourceMapper(client);

    /** The budget of a Pod that changed: one of several, as in kube-controller-manager. */
    function budgetOf(pod: Pod): readonly ObjectName[] {
      const { namespace = '', name = '' } = pod.metadata ?? {};
      const names = budgets
        .list({ namespace })
        .filter((budget) => selects(budget, pod))
        .map(({ metadata }) => metadata?.name ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1));
      const [chosen] = names;
      if (chosen === undefined) return [];
      // An update calls this with the previous Pod too.
      if (names.length > 1 && all.get(name, namespace) === pod) {
        const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`;
        events.record(pod, { type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message });
      }
      return [{ namespace, name: chosen }];
    }

    await controller({
      name: 'disruption',
      for: poddisruptionbudgets,
      watches: [watched(pods, budgetOf)],
      reconcile: async ({ object, namespace }) => {
        if (!object) return {};
        return reconcile(object, {
          pods: all.list({ namespace }).filter((pod) => selects(object, pod)),
          scaleOf: scaleReader(client, mapper, { namespace, signal }),
          report: (event) => events.record(object, event),
          reportOf: (pod, event) => events.record(pod, event),
          update: (budget) => client.resource(poddisruptionbudgets).update(budget, { subresource: 'status', signal }),
          nowMs: Date.now(),
        });
      },
    }).run(signal);
  },
};

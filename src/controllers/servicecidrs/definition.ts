import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ServiceCIDR } from '../../gen/types/networking-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { planServiceCidr } from './plan-service-cidr.ts';

/**
 * Sets the condition Ready of ServiceCIDRs, and protects deleted ones while addresses depend on
 * them.
 */
export const serviceCidrController: ControllerDefinition = {
  name: 'service-cidr-controller',
  alias: 'service-cidr-controller',
  account: 'service-cidrs-controller',
  async run({ client, discovery, informers, identifiers, controller, now }: ControllerContext, signal): Promise<void> {
    const { servicecidrs, ipaddresses } = builtInResources(identifiers.set);
    const older = ['v1beta1', 'v1alpha1'];
    const cidrs = await untilServed({ client, discovery }, servicecidrs, older, signal);
    const addresses = await untilServed({ client, discovery }, ipaddresses, older, signal);
    const [knownCidrs, knownAddresses] = [informers.informer(cidrs), informers.informer(addresses)];
    const writer = client.resource<ServiceCIDR>(cidrs);
    const deleted = () => knownCidrs.list().filter(({ metadata }) => metadata?.deletionTimestamp);
    const all = () => deleted().map(({ metadata }) => ({ namespace: '', name: metadata?.name ?? '' }));
    await controller<ServiceCIDR>({
      name: 'service_cidr',
      for: cidrs,
      watches: [watched(addresses, all), watched(cidrs, all)],
      async reconcile({ object }) {
        if (!object) return undefined;
        const plan = planServiceCidr(object, {
          finalizer: `networking.${identifiers.apiDomain}/service-cidr-finalizer`,
          product: identifiers.product,
          nowMs: now(),
          others: () => knownCidrs.list(),
          addresses: () => knownAddresses.list().map(({ metadata }) => metadata?.name ?? ''),
        });
        if (plan.object) await writer.update(plan.object, { signal });
        if (plan.withStatus) await writer.update(plan.withStatus, { subresource: 'status', signal });
        return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
      },
    }).run(signal);
  },
};

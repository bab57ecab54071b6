import type { Service, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import { countOf } from '../../../kinds/core/amounts.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const resources: ReadonlySet<string> = new Set([
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'count/services',
]);

/** Services: their number, their node ports and their load balancers. Updates change the type. */
export const serviceEvaluator: QuotaEvaluator<Service> = {
  operations: ['CREATE', 'UPDATE'],
  uses: (resource) => resources.has(resource),
  usageOf: ({ spec }) =>
    new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(spec))],
      ['services.loadbalancers', countOf(spec.type === 'LoadBalancer' ? 1 : 0)],
    ]),
};

/** How many node ports a Service has; they may not be allocated yet. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  return allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}

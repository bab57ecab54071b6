import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { countOf } from '../../amounts.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const resources: ReadonlySet<string> = new Set([
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'count/services',
]);

/** Services: their number, their node ports and their load balancers. Updates change the type. */
export const serviceEvaluator: QuotaEvaluator = {
  operations: ['CREATE', 'UPDATE'],
  uses: (resource) => resources.has(resource),
  usageOf: (service) => {
    const spec = objectAt(service, 'spec');
    return new Map([
      ['count/services', countOf(1)],
      ['services', countOf(1)],
      ['services.nodeports', countOf(nodePorts(spec))],
      ['services.loadbalancers', countOf(stringAt(spec, 'type') === 'LoadBalancer' ? 1 : 0)],
    ]);
  },
};

/** How many node ports a Service has; they may not be allocated yet. */
function nodePorts(spec: JsonObject): number {
  const type = stringAt(spec, 'type');
  const ports = objectsAt(spec, 'ports');
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  const allocates = spec['allocateLoadBalancerNodePorts'] !== false;
  return allocates ? ports.length : ports.filter((port) => isSet(port, 'nodePort') && port['nodePort'] !== 0).length;
}

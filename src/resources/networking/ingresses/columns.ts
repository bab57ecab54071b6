import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { joinFirst, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';
import { loadBalancerAddresses } from '../../columns/load-balancer.ts';

/** The columns of ingresses, in both of their groups. */
export const columns: readonly Column[] = [
  name,
  text('Class', 'Name of the ingress class.', (object) =>
    orNone(stringAt(objectAt(object, 'spec'), 'ingressClassName')),
  ),
  text('Hosts', 'Hosts of the rules; an asterisk for all hosts.', hosts),
  text('Address', 'Addresses of the load balancer.', (object) => loadBalancerAddresses(object).join(',')),
  text('Ports', 'Ports of the load balancer: 443 too with TLS.', (object) =>
    objectsAt(objectAt(object, 'spec'), 'tls').length > 0 ? '80, 443' : '80',
  ),
  age,
];

const shownHosts = 3;

function hosts(ingress: JsonObject): string {
  const rules = objectsAt(objectAt(ingress, 'spec'), 'rules');
  const named = rules.map((rule) => stringAt(rule, 'host')).filter((host) => host !== '');
  return joinFirst(named, shownHosts) || '*';
}

import type { Column } from '../../../codec/table-definition.ts';
import type { Ingress } from '../../../gen/stored/networking-v1.ts';
import { joinFirst, orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { loadBalancerAddresses } from '../../rules/fields/load-balancer-status.ts';

const shownHosts = 3;

/** The columns of ingresses, in both of their groups. */
export const columns: readonly Column<Ingress>[] = [
  nameColumn,
  textColumn('Class', 'Name of the ingress class.', ({ spec }) => orNone(spec.ingressClassName)),
  textColumn('Hosts', 'Hosts of the rules; an asterisk for all hosts.', ({ spec: { rules = [] } }) => {
    const hosts = rules.flatMap(({ host }) => host ?? []);
    return joinFirst(hosts, shownHosts) || '*';
  }),
  textColumn('Address', 'Addresses of the load balancer.', (ingress) => loadBalancerAddresses(ingress).join(',')),
  textColumn('Ports', 'Ports of the load balancer: 443 too with TLS.', ({ spec }) =>
    spec.tls?.length ? '80, 443' : '80',
  ),
  ageColumn,
];

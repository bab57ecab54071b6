import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { countAt, orNone } from '../../columns/cell-text.ts';
import { age, name, text, wide } from '../../columns/column.ts';
import { formatLabels } from '../../columns/format-labels.ts';
import { loadBalancerAddresses } from '../../columns/load-balancer.ts';

/** The columns of services. */
export const columns: readonly Column[] = [
  name,
  text('Type', 'How the service is exposed.', (object) => stringAt(objectAt(object, 'spec'), 'type')),
  text('Cluster-IP', 'Address inside the cluster; None for a headless service.', (object) =>
    orNone(stringAt(objectAt(object, 'spec'), 'clusterIP')),
  ),
  text('External-IP', 'Addresses outside the cluster.', externalAddress),
  text('Port(s)', 'Ports with their protocols, and the ports of nodes behind a colon.', (object) =>
    orNone(objectsAt(objectAt(object, 'spec'), 'ports').map(formatPort).join(',')),
  ),
  age,
  wide('Selector', 'Labels of the pods that receive the traffic.', (object) =>
    formatLabels(objectAt(object, 'spec'), 'selector'),
  ),
];

const externalAddresses: Readonly<Record<string, (service: JsonObject) => string>> = {
  ClusterIP: (service) => orNone(externalIps(service).join(',')),
  NodePort: (service) => orNone(externalIps(service).join(',')),
  LoadBalancer: (service) => [...loadBalancerAddresses(service), ...externalIps(service)].join(',') || '<pending>',
  ExternalName: (service) => stringAt(objectAt(service, 'spec'), 'externalName'),
};

function externalAddress(service: JsonObject): string {
  return externalAddresses[stringAt(objectAt(service, 'spec'), 'type')]?.(service) ?? '<unknown>';
}

function externalIps(service: JsonObject): readonly string[] {
  return stringsAt(objectAt(service, 'spec'), 'externalIPs');
}

function formatPort(port: JsonObject): string {
  const nodePort = numberAt(port, 'nodePort') ?? 0;
  return `${countAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol')}`;
}

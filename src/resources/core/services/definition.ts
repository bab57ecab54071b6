import type { Service, ServicePort } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy, stricterNames } from './strategy.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { orNone, ageColumn, nameColumn, textColumn, wideColumn, formatLabels } from '../../columns/column.ts';
import { loadBalancerAddresses } from '../../rules/fields/load-balancer-status.ts';

/** The columns of services. */
const columns: readonly Column<Service>[] = [
  nameColumn,
  textColumn('Type', 'How the service is exposed.', ({ spec }) => spec.type),
  textColumn('Cluster-IP', 'Address inside the cluster; None for a headless service.', ({ spec }) =>
    orNone(spec.clusterIP),
  ),
  textColumn('External-IP', 'Addresses outside the cluster.', externalAddress),
  textColumn('Port(s)', 'Ports with their protocols, and the ports of nodes behind a colon.', ({ spec }) =>
    orNone(spec.ports?.map(formatPort).join(',')),
  ),
  ageColumn,
  wideColumn('Selector', 'Labels of the pods that receive the traffic.', ({ spec }) => formatLabels(spec.selector)),
];

const externalAddresses: Readonly<Record<string, (service: Service) => string>> = {
  ClusterIP: ({ spec }) => orNone(spec.externalIPs?.join(',')),
  NodePort: ({ spec }) => orNone(spec.externalIPs?.join(',')),
  LoadBalancer: (service) =>
    [...loadBalancerAddresses(service), ...(service.spec.externalIPs ?? [])].join(',') || '<pending>',
  ExternalName: ({ spec }) => spec.externalName ?? '',
};

function externalAddress(service: Service): string {
  return externalAddresses[service.spec.type]?.(service) ?? '<unknown>';
}

function formatPort({ port, nodePort = 0, protocol }: ServicePort): string {
  return `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`;
}

/** The resource `services` of the core group. */
export const services = builtIn<Service>({
  group: '',
  resource: 'services',
  kind: 'Service',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['svc'],
  categories: ['all'],
  laterVerbs: { deletecollection: '1.24' },
  subresources: [statusSubresource],
  columns,
  strategy,
  earlierRules: [
    { before: '1.27', hooks: { returnsDeletedObject: false } },
    { before: '1.34', gate: 'RelaxedServiceNameValidation', hooks: stricterNames },
  ],
});

import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../meta/json-value.ts';
import { identifierSets, identifiersOf } from '../../../../../identifiers/identifiers.ts';
import type { Description, Facts, Need, Section } from '../parts/description.ts';
import {
  annotations,
  block,
  field,
  ifSet,
  indented,
  labels,
  line,
  name,
  namespacedName,
  optional,
  tableLines,
  timedConditions,
} from '../parts/fields.ts';
import { hostPort, itemsAt, joined, none, or, pairs, partAt, plain, textAt, unset, valueAt } from '../parts/values.ts';

/** Lists of one namespace, as large as they are: a backend may be any Service. */
function inNamespace(group: string, resource: string): Need {
  return { group, resource, select: (object) => ({ namespace: textAt(object, 'metadata.namespace') }) };
}

/** The label of the slices of a Service, in either set of identifiers. */
const serviceLabels = identifierSets.map((set) => `${identifiersOf(set).labelDomain}/service-name`);

function slicesOf(service: string, { related }: Facts): readonly JsonObject[] {
  return (related.slices ?? []).filter((slice) => {
    const found = partAt(slice, 'metadata.labels');
    return serviceLabels.some((label) => found[label] === service);
  });
}

/** More addresses are only counted. */
const shownAddresses = 3;

/** The ready addresses of a port of a Service. */
function endpointsText(slices: readonly JsonObject[], portName: string): string {
  if (slices.length === 0) return none;
  const addresses = slices.flatMap((slice) => {
    const ready = itemsAt(slice, 'endpoints').filter((endpoint) => valueAt(endpoint, 'conditions.ready') !== false);
    const hosts = ready.map(({ addresses: all }) => (Array.isArray(all) ? plain(all[0]) : ''));
    const ports = itemsAt(slice, 'ports');
    if (ports.length === 0) return hosts;
    const named = ports.filter((port) => textAt(port, 'name') === portName);
    return named.flatMap((port) => hosts.map((host) => hostPort(host, textAt(port, 'port'))));
  });
  const shown = addresses.slice(0, shownAddresses).join(',');
  return addresses.length > shownAddresses ? `${shown} + ${addresses.length - shownAddresses} more...` : shown;
}

const servicePorts: Section = (service, facts) =>
  itemsAt(service, 'spec.ports').flatMap((port) => {
    const label = textAt(port, 'name') || unset;
    const protocol = textAt(port, 'protocol');
    const nodePort = textAt(port, 'nodePort');
    return [
      `Port:\t${label}\t${textAt(port, 'port')}/${protocol}`,
      `TargetPort:\t${textAt(port, 'targetPort') || '0'}/${protocol}`,
      ...optional('AppProtocol', 'appProtocol')(port, facts),
      ...(nodePort === '' || nodePort === '0' ? [] : [`NodePort:\t${label}\t${nodePort}/${protocol}`]),
      `Endpoints:\t${endpointsText(slicesOf(textAt(service, 'metadata.name'), facts), textAt(port, 'name'))}`,
    ];
  });

function loadBalancers(service: JsonObject): string | undefined {
  const ingress = itemsAt(service, 'status.loadBalancer.ingress');
  if (ingress.length === 0) return undefined;
  const address = (each: JsonObject) => {
    const mode = textAt(each, 'ipMode');
    return each.ip ? `${textAt(each, 'ip')}${mode ? ` (${mode})` : ''}` : textAt(each, 'hostname');
  };
  return ingress.map(address).join(', ');
}

/** A list that is left out if it is empty. */
function optionalList(label: string, path: string): Section {
  return ifSet(path, field(label, path, joined(',')));
}

/** Services. */
export const service: Description = {
  needs: { slices: inNamespace('discovery', 'endpointslices') },
  sections: [
    ...namespacedName,
    labels,
    annotations,
    field('Selector', 'spec.selector', pairs),
    field('Type', 'spec.type'),
    optional('IP Family Policy', 'spec.ipFamilyPolicy'),
    field('IP Families', 'spec.ipFamilies', or(none, joined(','))),
    field('IP', 'spec.clusterIP'),
    field('IPs', 'spec.clusterIPs', or(none, joined(','))),
    optionalList('External IPs', 'spec.externalIPs'),
    optional('Desired LoadBalancer IP', 'spec.loadBalancerIP'),
    optional('External Name', 'spec.externalName'),
    line('LoadBalancer Ingress', loadBalancers),
    servicePorts,
    field('Session Affinity', 'spec.sessionAffinity'),
    optional('External Traffic Policy', 'spec.externalTrafficPolicy'),
    optional('Internal Traffic Policy', 'spec.internalTrafficPolicy'),
    optional('HealthCheck NodePort', 'spec.healthCheckNodePort'),
    optionalList('LoadBalancer Source Ranges', 'spec.loadBalancerSourceRanges'),
    optional('Traffic Distribution', 'spec.trafficDistribution'),
  ],
};

const subsets: Section = (endpoints) => [
  'Subsets:',
  ...itemsAt(endpoints, 'subsets').flatMap((subset) => {
    const addresses = (path: string) =>
      itemsAt(subset, path)
        .map((each) => textAt(each, 'ip'))
        .join(',') || none;
    const ports = itemsAt(subset, 'ports');
    return [
      `  Addresses:\t${addresses('addresses')}`,
      `  NotReadyAddresses:\t${addresses('notReadyAddresses')}`,
      ...(ports.length > 0 ? ['  Ports:', ...indented(tableLines(portColumns, ports), 2)] : []),
      '',
    ];
  }),
];

const portColumns = [
  ['Name', 'name', or(unset)],
  ['Port', 'port', or(unset)],
  ['Protocol', 'protocol'],
] as const;

/** Endpoints. */
export const endpoints: Description = { sections: [...namespacedName, labels, annotations, subsets] };

const slicePorts: Section = (slice) => {
  const ports = itemsAt(slice, 'ports');
  return ports.length === 0 ? [`Ports: ${unset}`] : ['Ports:', ...indented(tableLines(portColumns, ports))];
};

const sliceEndpoints: Section = (slice) => {
  const all = itemsAt(slice, 'endpoints');
  if (all.length === 0) return [`Endpoints: ${none}`];
  return ['Endpoints:', ...indented(all.flatMap(endpointLines))];
};

function endpointLines(endpoint: JsonObject): string[] {
  const shown = (path: string) => textAt(endpoint, path) || unset;
  return [
    `- Addresses:\t${joined(',')(endpoint.addresses) || none}`,
    '  Conditions:',
    `    Ready:\t${shown('conditions.ready')}`,
    `  Hostname:\t${shown('hostname')}`,
    ...(endpoint.targetRef
      ? [`  TargetRef:\t${textAt(endpoint, 'targetRef.kind')}/${textAt(endpoint, 'targetRef.name')}`]
      : []),
    `  NodeName:\t${shown('nodeName')}`,
    `  Zone:\t${shown('zone')}`,
  ];
}

/** Endpoint slices. */
export const endpointSlice: Description = {
  sections: [...namespacedName, labels, annotations, field('AddressType', 'addressType'), slicePorts, sliceEndpoints],
};

function backendText(backend: JsonValue | undefined, facts: Facts): string {
  if (!isJsonObject(backend)) return '<default>';
  if (isJsonObject(backend.resource)) {
    const group = textAt(backend, 'resource.apiGroup') || none;
    return `APIGroup: ${group}, Kind: ${textAt(backend, 'resource.kind')}, Name: ${textAt(backend, 'resource.name')}`;
  }
  const target = textAt(backend, 'service.name');
  const [number, port] = [textAt(backend, 'service.port.number'), textAt(backend, 'service.port.name')];
  const text = `${target}:${number || port}`;
  const found = facts.related.services?.find((each) => textAt(each, 'metadata.name') === target);
  if (!found) return `${text} (<error: services "${target}" not found>)`;
  const matches = (each: JsonObject) => (number ? textAt(each, 'port') === number : textAt(each, 'name') === port);
  const portName = textAt(itemsAt(found, 'spec.ports').find(matches) ?? {}, 'name');
  return `${text} (${endpointsText(slicesOf(target, facts), portName)})`;
}

const ingressRules: Section = (ingress, facts) => {
  const rules = itemsAt(ingress, 'spec.rules').filter(({ http }) => isJsonObject(http));
  const rows = rules.flatMap((rule) => [
    `${textAt(rule, 'host') || '*'}\t`,
    ...itemsAt(rule, 'http.paths').map((path) => `  \t${textAt(path, 'path')}\t${backendText(path.backend, facts)}`),
  ]);
  const otherwise = [`*\t*\t${backendText(valueAt(ingress, 'spec.defaultBackend'), facts)}`];
  return [
    'Rules:',
    ...indented(['Host\tPath\tBackends', '----\t----\t--------', ...(rows.length > 0 ? rows : otherwise)]),
  ];
};

const ingressTls = ifSet('spec.tls', (ingress) => [
  'TLS:',
  ...itemsAt(ingress, 'spec.tls').map((each) => {
    const hosts = joined(',')(each.hosts);
    return each.secretName ? `  ${textAt(each, 'secretName')} terminates ${hosts}` : `  SNI routes ${hosts}`;
  }),
]);

/** Ingresses. */
export const ingress: Description = {
  needs: { services: inNamespace('', 'services'), slices: inNamespace('discovery', 'endpointslices') },
  sections: [
    name,
    labels,
    field('Namespace', 'metadata.namespace'),
    line('Address', (object) => {
      const addresses = itemsAt(object, 'status.loadBalancer.ingress').map(
        (each) => textAt(each, 'ip') || textAt(each, 'hostname'),
      );
      return [...new Set(addresses)].filter(Boolean).toSorted().join(',');
    }),
    field('Ingress Class', 'spec.ingressClassName', or(none)),
    line('Default backend', (object, facts) => backendText(valueAt(object, 'spec.defaultBackend'), facts)),
    ingressTls,
    ingressRules,
    annotations,
  ],
};

/** Classes of ingresses. */
export const ingressClass: Description = {
  sections: [
    name,
    labels,
    annotations,
    field('Controller', 'spec.controller'),
    ifSet(
      'spec.parameters',
      block(
        'Parameters',
        optional('APIGroup', 'spec.parameters.apiGroup'),
        field('Kind', 'spec.parameters.kind'),
        field('Name', 'spec.parameters.name'),
      ),
    ),
  ],
};

/** Ranges of addresses of Services. */
export const serviceCidr: Description = {
  sections: [
    name,
    labels,
    annotations,
    field('CIDRs', 'spec.cidrs', joined(', ')),
    ifSet('status.conditions', () => ['Status:'], timedConditions),
  ],
};

/** Addresses of Services. */
export const ipAddress: Description = {
  sections: [
    name,
    labels,
    annotations,
    ifSet(
      'spec.parentRef',
      block(
        'Parent Reference',
        field('Group', 'spec.parentRef.group'),
        field('Resource', 'spec.parentRef.resource'),
        field('Namespace', 'spec.parentRef.namespace'),
        field('Name', 'spec.parentRef.name'),
      ),
    ),
  ],
};

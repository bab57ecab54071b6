import { identifierSets, identifiersOf } from '../../../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../../../meta/json-value.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '../../../../../meta/quantity.ts';
import type { Description, Facts, Section } from '../parts/description.ts';
import {
  annotations,
  created,
  field,
  indented,
  labels,
  line,
  name,
  optional,
  table,
  tableLines,
  valueLines,
} from '../parts/fields.ts';
import {
  itemsAt,
  joined,
  longTime,
  none,
  partAt,
  plain,
  since,
  textAt,
  unset,
  valueAt,
  flag,
} from '../parts/values.ts';
import { amountsOf, type Amounts } from '../parts/amounts-of.ts';

const domains = identifierSets.map((set) => identifiersOf(set).labelDomain);

const roles = line('Roles', (node) => {
  const found = Object.entries(partAt(node, 'metadata.labels')).map(([key, value]) => {
    const prefix = domains.map((domain) => `node-role.${domain}/`).find((each) => key.startsWith(each));
    if (prefix !== undefined) return key.slice(prefix.length);
    return domains.some((domain) => key === `${domain}/role`) ? plain(value) : '';
  });
  return [...new Set(found)].filter(Boolean).toSorted().join(',') || none;
});

const taints: Section = (node) => {
  const texts = itemsAt(node, 'spec.taints').map((taint) => {
    const [key, value, effect] = ['key', 'value', 'effect'].map((path) => textAt(taint, path));
    return {
      effect: effect ?? '',
      key: key ?? '',
      text: `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`,
    };
  });
  const sorted = texts.toSorted((one, other) => order([one.effect, one.key], [other.effect, other.key]));
  return valueLines(
    'Taints',
    sorted.map(({ text }) => text),
  );
};

function order(one: readonly string[], other: readonly string[]): number {
  return one.join('\0') < other.join('\0') ? -1 : 1;
}

const lease: Section = (_, { related }: Facts) => {
  const [found = {}] = related.lease ?? [];
  const time = (path: string) => (textAt(found, path) ? longTime(valueAt(found, path)) : unset);
  return [
    'Lease:',
    `  HolderIdentity:\t${textAt(found, 'spec.holderIdentity') || unset}`,
    `  AcquireTime:\t${time('spec.acquireTime')}`,
    `  RenewTime:\t${time('spec.renewTime')}`,
  ];
};

const addresses: Section = (node) => [
  'Addresses:',
  ...itemsAt(node, 'status.addresses').map((each) => `  ${textAt(each, 'type')}:\t${textAt(each, 'address')}`),
];

function amounts(heading: string, path: string): Section {
  return (node) => {
    const found = partAt(node, path);
    const names = Object.keys(found).toSorted();
    return names.length === 0 ? [] : [`${heading}:`, ...names.map((each) => `  ${each}:\t${plain(found[each])}`)];
  };
}

const systemInfo: Section = (node) => [
  'System Info:',
  ...[
    ['Machine ID', 'machineID'],
    ['System UUID', 'systemUUID'],
    ['Boot ID', 'bootID'],
    ['Kernel Version', 'kernelVersion'],
    ['OS Image', 'osImage'],
    ['Operating System', 'operatingSystem'],
    ['Architecture', 'architecture'],
    ['Container Runtime Version', 'containerRuntimeVersion'],
    ['Kubelet Version', agentVersion(node)],
  ].map(([label, path = '']) => `  ${label}:\t${textAt(node, `status.nodeInfo.${path}`)}`),
];

/** The field with the version of the node's agent is named after it. */
function agentVersion(node: JsonObject): string {
  const fields = identifierSets.map((set) => `${identifiersOf(set).nodeAgent}Version`);
  return fields.find((each) => each in partAt(node, 'status.nodeInfo')) ?? '';
}

/** Drivers of devices of the node, by pool. */
const devices: Section = (_, { related }) => {
  const pools = new Map<string, { driver: string; pool: string; slices: number; devices: number }>();
  for (const slice of related.devices ?? []) {
    const [driver, pool] = [textAt(slice, 'spec.driver'), textAt(slice, 'spec.pool.name')];
    const known = pools.get(`${driver}/${pool}`) ?? { driver, pool, slices: 0, devices: 0 };
    const count = itemsAt(slice, 'spec.devices').length;
    pools.set(`${driver}/${pool}`, { ...known, slices: known.slices + 1, devices: known.devices + count });
  }
  if (pools.size === 0) return [];
  const sorted = [...pools].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, pool]) => pool);
  const lines = tableLines(
    [
      ['Driver', 'driver'],
      ['Pool', 'pool'],
      ['Slices', 'slices'],
      ['Devices', 'devices'],
    ],
    sorted.slice(0, shownPools),
  );
  const more = sorted.length - shownPools;
  return ['Node-Local ResourceSlices:', ...indented([...lines, ...(more > 0 ? [`...and ${more} more pools`] : [])])];
};

/** More pools are only counted. */
const shownPools = 10;

const zero: Quantity = { nanos: 0n, format: 'decimal' };

/** `250m (25%)` */
function share(amount: Quantity | undefined, whole: Quantity): string {
  const { nanos } = amount ?? zero;
  const percent = whole.nanos === 0n ? 0n : (nanos * 100n) / whole.nanos;
  return `${formatQuantity(amount ?? zero)} (${percent}%)`;
}

const pods: Section = (node, facts) => {
  const { pods: found } = facts.related;
  if (!found) return ['Pods:\tnot authorized'];
  const wholes = allocatable(node);
  const counted = found.map((pod) => ({ pod, ...amountsOf(pod) }));
  const rows = counted.map(({ pod, requests, limits }) =>
    [
      textAt(pod, 'metadata.namespace'),
      textAt(pod, 'metadata.name'),
      '',
      ...['cpu', 'memory'].flatMap((resource) =>
        [requests, limits].map((each) => share(each.get(resource), wholes.get(resource) ?? zero)),
      ),
      since(valueAt(pod, 'metadata.creationTimestamp'), facts.nowMs),
    ].join('\t'),
  );
  const headings = ['Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age'];
  return [
    `Non-terminated Pods:\t(${found.length} in total)`,
    ...indented([headings.join('\t'), headings.map((each) => '-'.repeat(each.length)).join('\t'), ...rows]),
    'Allocated resources:',
    '  (Total limits may be over 100 percent, i.e., overcommitted.)',
    ...indented(allocatedLines(counted, wholes)),
  ];
};

function allocatable(node: JsonObject): Amounts {
  const found = partAt(node, 'status.allocatable');
  const amountsByName = Object.keys(found).length > 0 ? found : partAt(node, 'status.capacity');
  return new Map(
    Object.entries(amountsByName).flatMap(([resource, text]) => {
      const amount = parseQuantity(plain(text));
      return 'error' in amount ? [] : [[resource, amount] as const];
    }),
  );
}

/** Resources that every node has, or that are not for containers. */
const usual: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods', 'storage']);

function allocatedLines(pods_: readonly { requests: Amounts; limits: Amounts }[], wholes: Amounts): string[] {
  const [requests, limits] = [sum(pods_.map((each) => each.requests)), sum(pods_.map((each) => each.limits))];
  const others = [...wholes.keys()].filter((resource) => !usual.has(resource)).toSorted();
  const isLarge = (resource: string) => resource.startsWith('hugepages-');
  const shared = ['cpu', 'memory', 'ephemeral-storage', ...others.filter(isLarge)].map((resource) => {
    const whole = wholes.get(resource) ?? zero;
    return [resource, share(requests.get(resource), whole), share(limits.get(resource), whole)];
  });
  const extended = others
    .filter((resource) => !isLarge(resource))
    .map((resource) => [
      resource,
      formatQuantity(requests.get(resource) ?? zero),
      formatQuantity(limits.get(resource) ?? zero),
    ]);
  const headings = ['Resource', 'Requests', 'Limits'];
  return [headings, headings.map((each) => '-'.repeat(each.length)), ...shared, ...extended].map((row) =>
    row.join('\t'),
  );
}

function sum(all: readonly Amounts[]): Amounts {
  const total = new Map<string, Quantity>();
  for (const [resource, amount] of all.flatMap((each) => [...each])) {
    const known = total.get(resource);
    total.set(resource, known ? addQuantities(known, amount) : amount);
  }
  return total;
}

/** Nodes, with their pods and what these ask for. */
export const node: Description = {
  events: 'name-or-uid',
  needs: {
    lease: {
      group: 'coordination',
      resource: 'leases',
      select: (object, prefix) => ({ namespace: `${prefix}node-lease`, name: textAt(object, 'metadata.name') }),
    },
    pods: {
      group: '',
      resource: 'pods',
      select: (object) => ({
        fieldSelector: `spec.nodeName=${textAt(object, 'metadata.name')},status.phase!=Succeeded,status.phase!=Failed`,
      }),
    },
    devices: {
      group: 'resource',
      resource: 'resourceslices',
      select: (object) => ({ fieldSelector: `spec.nodeName=${textAt(object, 'metadata.name')}` }),
    },
  },
  sections: [
    name,
    roles,
    labels,
    annotations,
    created,
    taints,
    field('Unschedulable', 'spec.unschedulable', flag),
    lease,
    table('Conditions', 'status.conditions', [
      ['Type', 'type'],
      ['Status', 'status'],
      ['LastHeartbeatTime', 'lastHeartbeatTime', longTime],
      ['LastTransitionTime', 'lastTransitionTime', longTime],
      ['Reason', 'reason'],
      ['Message', 'message'],
    ]),
    addresses,
    amounts('Capacity', 'status.capacity'),
    amounts('Allocatable', 'status.allocatable'),
    systemInfo,
    optional('PodCIDR', 'spec.podCIDR'),
    (object) => {
      const ranges = valueAt(object, 'spec.podCIDRs');
      return Array.isArray(ranges) && ranges.length > 0 ? [`PodCIDRs:\t${joined(',')(ranges)}`] : [];
    },
    optional('ProviderID', 'spec.providerID'),
    devices,
    pods,
  ],
};

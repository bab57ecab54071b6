import type { JsonObject } from '../../../../../meta/json-value.ts';
import { terminating } from '../parts/claim-fields.ts';
import { containers, resourceLines, seccompLines } from '../parts/containers.ts';
import type { Description, Section } from '../parts/description.ts';
import {
  annotations,
  controlledBy,
  indented,
  labels,
  line,
  namespacedName,
  optional,
  table,
  field,
  ifSet,
} from '../parts/fields.ts';
import { placement, spread } from '../parts/pod-template.ts';
import { itemsAt, longTime, none, partAt, textAt } from '../parts/values.ts';
import { volumes } from '../parts/volumes.ts';

const node = line('Node', (pod) =>
  textAt(pod, 'spec.nodeName') === '' ? none : `${textAt(pod, 'spec.nodeName')}/${textAt(pod, 'status.hostIP')}`,
);

const status: Section = (pod, { nowMs }) => {
  const deleted = textAt(pod, 'metadata.deletionTimestamp');
  if (deleted === '') return [`Status:\t${textAt(pod, 'status.phase')}`];
  const grace = textAt(pod, 'metadata.deletionGracePeriodSeconds') || '0';
  return [`Status:\t${terminating(deleted, nowMs)}`, `Termination Grace Period:\t${grace}s`];
};

const addresses: Section = (pod) => {
  const ips = itemsAt(pod, 'status.podIPs').map((each) => `IP:\t${textAt(each, 'ip')}`);
  return [`IP:\t${textAt(pod, 'status.podIP')}`, ...(ips.length > 0 ? ['IPs:', ...indented(ips)] : [`IPs:\t${none}`])];
};

const podContainers: Section = (pod) => {
  const groups = [
    ['Init Containers', 'initContainers', 'initContainerStatuses'],
    ['Containers', 'containers', 'containerStatuses'],
    ['Ephemeral Containers', 'ephemeralContainers', 'ephemeralContainerStatuses'],
  ] as const;
  return groups.flatMap(([heading, specs, statuses]) => {
    const all = itemsAt(pod, `spec.${specs}`);
    if (all.length === 0 && heading !== 'Containers') return [];
    return containers(heading, all, { statuses: itemsAt(pod, `status.${statuses}`), pod });
  });
};

const readinessGates: Section = (pod) => {
  const gates = itemsAt(pod, 'spec.readinessGates');
  if (gates.length === 0) return [];
  return [
    'Readiness Gates:',
    '  Type\tStatus',
    ...gates.map((gate) => `  ${textAt(gate, 'conditionType')}\t${stateOf(gate, pod)}`),
  ];
};

function stateOf(gate: JsonObject, pod: JsonObject): string {
  const found = itemsAt(pod, 'status.conditions').find(({ type }) => type === gate.conditionType);
  return found ? textAt(found, 'status') : none;
}

/** Conditions of pods have no underlined headings. */
const podConditions: Section = (pod, facts) => {
  const [heading = '', columns = '', , ...rows] = table('Conditions', 'status.conditions', [
    ['Type', 'type'],
    ['Status', 'status'],
  ])(pod, facts);
  return heading === '' ? [] : [heading, columns, ...rows];
};

/** Pods. */
export const podDescription: Description = {
  events: 'uid',
  sections: [
    ...namespacedName,
    optional('Priority', 'spec.priority'),
    optional('Priority Class Name', 'spec.priorityClassName'),
    optional('Runtime Class Name', 'spec.runtimeClassName'),
    optional('Service Account', 'spec.serviceAccountName'),
    node,
    optional('Start Time', 'status.startTime', longTime),
    labels,
    annotations,
    status,
    optional('Reason', 'status.reason'),
    optional('Message', 'status.message'),
    (object) => seccompLines(partAt(object, 'spec.securityContext'), ''),
    addresses,
    controlledBy,
    optional('NominatedNodeName', 'status.nominatedNodeName'),
    ifSet('spec.resources', (object) => ['Resources:', ...indented(resourceLines(partAt(object, 'spec.resources')))]),
    podContainers,
    readinessGates,
    podConditions,
    (object, facts) => volumes(partAt(object, 'spec'), '', facts),
    field('QoS Class', 'status.qosClass'),
    (object) => placement(partAt(object, 'spec'), ''),
    (object) => spread(partAt(object, 'spec'), ''),
  ],
};

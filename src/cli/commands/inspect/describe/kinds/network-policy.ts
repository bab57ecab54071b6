import { isJsonObject, type JsonObject } from '../../../../../meta/json-value.ts';
import { parseTime } from '../../../../../meta/time.ts';
import type { Description, Section } from '../parts/description.ts';
import { annotations, indented, labels, line, namespacedName } from '../parts/fields.ts';
import { itemsAt, joined, partAt, plain, selectorQuery, selectorText, textAt, valueAt } from '../parts/values.ts';

/** The two directions of traffic: the words of their lines, and their fields. */
const directions = [
  { type: 'Ingress', word: 'ingress', peers: 'from', label: 'From', restricted: 'source' },
  { type: 'Egress', word: 'egress', peers: 'to', label: 'To', restricted: 'destination' },
] as const;

type Direction = (typeof directions)[number];

const spec: Section = (policy) => {
  const types = valueAt(policy, 'spec.policyTypes');
  const selector = selectorQuery(partAt(policy, 'spec.podSelector'));
  return [
    'Spec:',
    ...indented([
      `PodSelector: ${selector || '<none> (Allowing the specific traffic to all pods in this namespace)'}`,
      ...directions.flatMap((direction) => directionLines(policy, direction)),
      `Policy Types: ${joined(', ')(types)}`,
    ]),
  ];
};

function directionLines(policy: JsonObject, direction: Direction): string[] {
  const { type, word } = direction;
  const types = valueAt(policy, 'spec.policyTypes');
  if (!Array.isArray(types) || !types.includes(type)) return [`Not affecting ${word} traffic`];
  const rules = itemsAt(policy, `spec.${word}`);
  const lines =
    rules.length === 0
      ? [`<none> (Selected pods are isolated for ${word} connectivity)`]
      : rules.flatMap((rule, index) => [...(index > 0 ? ['----------'] : []), ...ruleLines(rule, direction)]);
  return [`Allowing ${word} traffic:`, ...indented(lines)];
}

function ruleLines(rule: JsonObject, { peers, label, restricted }: Direction): string[] {
  const ports = itemsAt(rule, 'ports').map(portLine);
  const others = itemsAt(rule, peers);
  return [
    ...(ports.length > 0 ? ports : ['To Port: <any> (traffic allowed to all ports)']),
    ...(others.length > 0
      ? others.flatMap((peer) => [`${label}:`, ...indented(peerLines(peer))])
      : [`${label}: <any> (traffic not restricted by ${restricted})`]),
  ];
}

function portLine(port: JsonObject): string {
  const protocol = textAt(port, 'protocol') || 'TCP';
  const last = textAt(port, 'endPort');
  const first = textAt(port, 'port') || '<any>';
  return last ? `To Port Range: ${first}-${last}/${protocol}` : `To Port: ${first}/${protocol}`;
}

function peerLines({ namespaceSelector, podSelector, ipBlock }: JsonObject): string[] {
  if (isJsonObject(ipBlock)) {
    return ['IPBlock:', `  CIDR: ${plain(ipBlock.cidr)}`, `  Except: ${joined(', ')(ipBlock.except)}`];
  }
  return [
    ...(namespaceSelector ? [`NamespaceSelector: ${selectorText(namespaceSelector)}`] : []),
    ...(podSelector ? [`PodSelector: ${selectorText(podSelector)}`] : []),
  ];
}

/** A time as Go prints it. */
function goTime(text: string): string {
  const milliseconds = parseTime(text);
  if (milliseconds === undefined) return '0001-01-01 00:00:00 +0000 UTC';
  const at = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(milliseconds)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const offset = -new Date(milliseconds).getTimezoneOffset();
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const sign = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}${two(Math.abs(offset) % 60)}`;
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} ${sign} ${zone ?? 'UTC'}`;
}

/** Network policies. */
export const networkPolicy: Description = {
  events: 'none',
  sections: [
    ...namespacedName,
    line('Created on', (policy) => goTime(textAt(policy, 'metadata.creationTimestamp'))),
    labels,
    annotations,
    spec,
  ],
};

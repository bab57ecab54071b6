import type { JsonObject } from '../../../../meta/json-value.ts';
import { builtIn, listAll } from '../describe/parts/related.ts';
import { itemsAt, partAt, plain, textAt } from '../describe/parts/values.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** More nodes are only counted. */
const shownNodes = 5;

/** The reasons why a pod has no node. */
export async function scheduling(subject: Subject): Promise<Finding[]> {
  const { object } = subject;
  if (textAt(object, 'spec.nodeName') !== '' || textAt(object, 'metadata.deletionTimestamp') !== '') return [];
  const gates = itemsAt(object, 'spec.schedulingGates').map(({ name }) => plain(name));
  if (gates.length > 0) {
    const next = 'their controllers remove them when the pod may start';
    return [{ says: `It is held back by the scheduling gates ${gates.join(', ')}.`, next }];
  }
  const condition = itemsAt(object, 'status.conditions').find(({ type }) => type === 'PodScheduled');
  const nodes = await nodesOf(subject);
  const scheduler = textAt(object, 'spec.schedulerName') || 'default-scheduler';
  const refused = condition
    ? { says: `No node takes it: ${textAt(condition, 'message') || textAt(condition, 'reason')}` }
    : { says: `The scheduler ${scheduler} has not looked at it yet.` };
  const problems = nodeFindings(subject, nodes);
  const next = condition
    ? `change the pod or the nodes${problems.length > 0 ? ' as below' : ''}`
    : `see whether the scheduler ${scheduler} runs, if this lasts`;
  return [{ ...refused, next }, ...problems];
}

async function nodesOf({ source }: Subject): Promise<JsonObject[]> {
  const nodes = builtIn(source.resources, '', 'nodes');
  // Without the right to see nodes the words of the scheduler must do.
  return nodes ? listAll(source, nodes).catch(() => []) : [];
}

function nodeFindings(subject: Subject, nodes: readonly JsonObject[]): Finding[] {
  const problems = nodes.flatMap((node) => nodeProblem(subject, node));
  const rest = problems.length - shownNodes;
  const more = { says: `${rest} other nodes do not take it either.`, next: 'cl get nodes' };
  return [...problems.slice(0, shownNodes), ...(rest > 0 ? [more] : [])];
}

function nodeProblem(subject: Subject, node: JsonObject): Finding[] {
  const name = textAt(node, 'metadata.name');
  const pod = subject.object;
  if (partAt(node, 'spec').unschedulable === true) {
    return [{ says: `Node ${name} is cordoned.`, next: `cl uncordon ${name}` }];
  }
  const taint = itemsAt(node, 'spec.taints').find(
    (each) => each.effect !== 'PreferNoSchedule' && !tolerates(pod, each),
  );
  if (taint) {
    const text = `${textAt(taint, 'key')}${taint.value ? `=${textAt(taint, 'value')}` : ''}:${textAt(taint, 'effect')}`;
    return [
      {
        says: `Node ${name} has the taint ${text}, which the pod does not tolerate.`,
        next: `add a toleration to the pod, or cl taint node ${name} ${textAt(taint, 'key')}-`,
      },
    ];
  }
  const labels = partAt(node, 'metadata.labels');
  const missing = Object.entries(partAt(pod, 'spec.nodeSelector')).find(([key, value]) => labels[key] !== value);
  if (!missing) return [];
  const label = `${missing[0]}=${plain(missing[1])}`;
  const next = `cl label node ${name} ${label}, or change spec.nodeSelector of the pod${inNamespace(subject)}`;
  return [{ says: `Node ${name} lacks the label ${label} of the pod's node selector.`, next }];
}

function tolerates(pod: JsonObject, taint: JsonObject): boolean {
  return itemsAt(pod, 'spec.tolerations').some(({ key, operator, value, effect }) => {
    if (effect && effect !== taint.effect) return false;
    if (operator === 'Exists') return !key || key === taint.key;
    return key === taint.key && plain(value) === plain(taint.value);
  });
}

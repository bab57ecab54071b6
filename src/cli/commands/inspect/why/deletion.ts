import { humanDuration } from '../../../../meta/human-duration.ts';
import { parseTime } from '../../../../meta/time.ts';
import { itemsAt, plain, textAt, valueAt } from '../describe/parts/values.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** Finalizers that are not a controller's own. */
const known: Readonly<Record<string, string>> = {
  foregroundDeletion: 'it goes after its dependents, which are deleted first',
  orphan: 'its dependents lose their owner first',
};

/** The reasons why an object that was deleted is still there. */
export function deletion(subject: Subject): Finding[] {
  const { object } = subject;
  const since = parseTime(textAt(object, 'metadata.deletionTimestamp'));
  if (since === undefined) return [];
  const lasts = humanDuration(Math.max(0, Date.now() - since));
  const finalizers = valueAt(object, 'metadata.finalizers');
  const held = Array.isArray(finalizers) ? finalizers.map(plain) : [];
  return [
    ...held.map((finalizer) => heldBy(subject, finalizer, lasts)),
    ...namespaceContent(subject, lasts),
    ...(held.length === 0 && subject.resource.kind === 'Pod' ? [runningContainers(subject, lasts)] : []),
  ];
}

function heldBy(subject: Subject, finalizer: string, lasts: string): Finding {
  const line = `${subject.resource.resource} ${subject.name}${inNamespace(subject)}`;
  const reason = known[finalizer];
  if (reason) return { says: `It has been deleted for ${lasts}; ${reason}.`, next: `cl tree ${line}` };
  return {
    says: `It has been deleted for ${lasts} and waits for the finalizer ${finalizer}.`,
    next:
      'find out whether the controller that removes it runs. If it never will: ' +
      `cl patch ${line} --type=merge -p '{"metadata":{"finalizers":null}}' skips its clean-up`,
  };
}

/** Conditions of a namespace say what is left in it. */
function namespaceContent({ object, resource, name }: Subject, lasts: string): Finding[] {
  if (resource.kind !== 'Namespace' || resource.group !== '') return [];
  const held = itemsAt(object, 'status.conditions').filter(({ status }) => status === 'True');
  const says = held.map((condition) => `${textAt(condition, 'type')}: ${textAt(condition, 'message')}`);
  const next = `remove what the message names, or see to its finalizers: cl why TYPE NAME -n ${name}`;
  if (says.length > 0) return says.map((text) => ({ says: text, next }));
  return [{ says: `It has been deleted for ${lasts}, and its content is being removed.`, next: 'wait, and ask again' }];
}

function runningContainers(subject: Subject, lasts: string): Finding {
  const { object, name } = subject;
  const node = textAt(object, 'spec.nodeName');
  const grace = textAt(object, 'metadata.deletionGracePeriodSeconds') || '0';
  return {
    says: `Its deletion was due ${lasts} ago, after ${grace}s of grace, but node ${node} has not confirmed it.`,
    next: `cl describe node ${node}. If the node is gone: cl delete pod ${name}${inNamespace(subject)} --force --grace-period=0`,
  };
}

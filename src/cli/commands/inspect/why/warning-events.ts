import type { JsonObject } from '../../../../meta/json-value.ts';
import { textAt } from '../describe/parts/values.ts';
import { shellWord } from '../../../shell-word.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** The last Warnings are enough. */
const shown = 3;

/** The scheduler says the same in a condition of the pod. */
const explainedByScheduling = 'FailedScheduling';

/** Causes that an Event names only in its message, and their next steps. */
const causes: readonly (readonly [pattern: RegExp, next: (match: RegExpExecArray, subject: Subject) => string])[] = [
  [
    /failed calling webhook "([^"]+)"/,
    ([, webhook = '']) =>
      `see whether the program behind webhook ${webhook} runs: cl get validatingwebhookconfigurations,mutatingwebhookconfigurations`,
  ],
  [
    /admission webhook "([^"]+)" denied/,
    ([, webhook = '']) => `change the object so that webhook ${webhook} accepts it, as its message says`,
  ],
  [
    /exceeded quota: ([^,\s]+)/,
    ([, quota = ''], subject) =>
      `delete something, ask for less, or raise the quota: cl describe quota ${shellWord(quota)}${inNamespace(subject)}`,
  ],
  [
    /is forbidden: User "([^"]+)"/,
    ([, user = '']) => `give ${user} the permission: cl auth can-i --list --as=${shellWord(user)}`,
  ],
  [
    /no PriorityClass with name (\S+) was found/,
    ([, name = '']) =>
      `cl create priorityclass ${shellWord(name)} --value=1000, or name one of: cl get priorityclasses`,
  ],
  [
    /serviceaccount "([^"]+)" not found/,
    ([, account = ''], subject) => `cl create serviceaccount ${shellWord(account)}${inNamespace(subject)}`,
  ],
];

/** The last Warnings about the object, each reason once. */
export function warnings(subject: Subject): Finding[] {
  const byReason = new Map<string, JsonObject>();
  const time = (event: JsonObject) =>
    textAt(event, 'series.lastObservedTime') || textAt(event, 'lastTimestamp') || textAt(event, 'eventTime');
  const sorted = subject.events
    .filter(({ type, reason }) => type === 'Warning' && reason !== explainedByScheduling)
    .toSorted((one, other) => (time(one) < time(other) ? -1 : 1));
  for (const event of sorted) byReason.set(textAt(event, 'reason'), event);
  return [...byReason.values()].slice(-shown).map((event) => {
    const message = textAt(event, 'message').trim();
    return { says: `Event ${textAt(event, 'reason')}: ${message}`, next: nextOf(message, subject) };
  });
}

function nextOf(message: string, subject: Subject): string {
  for (const [pattern, next] of causes) {
    const match = pattern.exec(message);
    if (match) return next(match, subject);
  }
  return `cl describe ${subject.resource.resource} ${subject.name}${inNamespace(subject)}`;
}

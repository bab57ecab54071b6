import { itemPath } from '../bodies/base-object.ts';
import { times } from '../choices.ts';
import { type Area, leftoversOf } from './area.ts';
import { createStep } from './write-steps.ts';

const queries: readonly Readonly<Record<string, string>>[] = [
  {},
  { pretty: 'true' },
  { limit: '1' },
  { resourceVersion: '0' },
  { labelSelector: '(' },
  { resourceVersion: 'x' },
];

/** Reads of which only the head is asked for. */
export const heads: Area = {
  name: 'heads',
  draw(random, subject) {
    const paths = [
      itemPath(subject),
      subject.collection,
      `${subject.collection}/absent`,
      ...subject.statuses.map((name) => `${itemPath(subject)}/${name}`),
    ];
    const asked = times(
      random.between(2, 5),
      () => ({ method: 'HEAD', path: random.pick(paths), query: random.pick(queries) }) as const,
    );
    const steps = [createStep(random, { subject, name: '{{name}}', managers: 1 }, 0), ...asked];
    return { area: 'heads', kind: subject.key, steps, leftovers: leftoversOf(subject, [itemPath(subject)]) };
  },
};

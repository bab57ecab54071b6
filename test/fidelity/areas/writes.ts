import { itemPath } from '../bodies/base-object.ts';
import { chance, times } from '../choices.ts';
import { type Area, leftoversOf } from './area.ts';
import { createStep, writeStep } from './write-steps.ts';

/** Creates, updates, patches and applies of one object by a few managers, of its status and its scale. */
export const writes: Area = {
  name: 'writes',
  draw(random, subject) {
    const written = { subject, name: '{{name}}', managers: random.between(2, 4) };
    const first = chance(random, 0.7) ? [createStep(random, written)] : [];
    const steps = [...first, ...times(random.between(4, 20), () => writeStep(random, written))];
    return { area: 'writes', kind: subject.key, steps, leftovers: leftoversOf(subject, [itemPath(subject)]) };
  },
};

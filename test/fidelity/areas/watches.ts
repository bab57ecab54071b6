import { isJsonObject } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { baseObject, itemPath } from '../bodies/base-object.ts';
import { chance, some, times } from '../choices.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import type { Area } from './area.ts';
import { namedBySpec } from './lists.ts';
import { createStep, patchTypes, writeStep } from './write-steps.ts';

/** Writes of a few objects while both servers are watched, with selectors that objects come into and fall out of. */
export const watches: Area = {
  name: 'watches',
  takes: ({ info, version }) => info.namespaced && version.verbs.includes('watch') && !namedBySpec.has(info.resource),
  draw(random, subject) {
    const steps = [
      ...names.map((name) => createStep(random, { subject, name, managers: 2 }, 2)),
      ...times(random.between(5, 16), () => step(random, subject)),
    ];
    const watch = { path: subject.collection, query: randomSelection(random), last: lastObject(subject) };
    return { area: 'watches', kind: subject.key, steps, watch, leftovers: [] };
  },
};

const names: readonly string[] = ['a', 'b'];

/** Every selection takes the last object. */
const selections: readonly Readonly<Record<string, string>>[] = [
  { labelSelector: 'app=x' },
  { labelSelector: 'app' },
  { labelSelector: 'app in (x,y),tier!=z' },
  { fieldSelector: 'metadata.name!=a' },
  { labelSelector: 'app=x', fieldSelector: 'metadata.name!=b' },
];

function randomSelection(random: Random): Readonly<Record<string, string>> {
  const selection = chance(random, 0.4) ? {} : random.pick(selections);
  return chance(random, 0.1) ? { ...selection, watch: random.pick(['', '1', 'no']) } : selection;
}

function lastObject(subject: Subject): SequenceStep {
  const body = baseObject(subject, 'last');
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  body['metadata'] = { ...metadata, labels: { app: 'x' } };
  return { method: 'POST', path: subject.collection, body };
}

function step(random: Random, subject: Subject): SequenceStep {
  const name = random.pick(names);
  const path = itemPath(subject, name);
  if (chance(random, 0.4)) return writeStep(random, { subject, name, managers: 2 });
  if (chance(random, 0.2)) return { method: 'DELETE', path, query: { gracePeriodSeconds: '0' } };
  if (chance(random, 0.2)) return createStep(random, { subject, name, managers: 2 }, 2);
  const labels = Object.fromEntries(
    some(random, ['app', 'tier'], 1).map((key) => [key, random.pick(['x', 'y', 'z', null])]),
  );
  return { method: 'PATCH', path, type: patchTypes.merge, body: { metadata: { labels } } };
}

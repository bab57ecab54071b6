import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { baseObject } from '../bodies/base-object.ts';
import { labelKeys } from '../bodies/random-metadata.ts';
import { chance, maybe, some, times, weighted } from '../choices.ts';
import { compact } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import { type Area, leftoversOf } from './area.ts';
import { namedBySpec } from './lists.ts';
import {
  annotationSizes,
  namePrefixes,
  strangeFinalizers,
  strangeKeys,
  strangeLabelValues,
  strangeManagers,
  strangeNames,
} from './random-names.ts';
import { patchTypes } from './write-steps.ts';

/** Creates and updates whose metadata is at a boundary of a rule, or beyond. */
export const metadata: Area = {
  name: 'metadata',
  takes: ({ info }) => !namedBySpec.has(info.resource),
  draw(random, subject) {
    const kept: string[] = [];
    const steps: SequenceStep[] = [];
    for (let left = random.between(5, 15); left > 0; left--) {
      const verb = weighted(random, { name: 4, prefix: 3, create: 6, update: kept.length > 0 ? 5 : 0 });
      const query = randomQuery(random);
      if (verb === 'name') steps.push(namedCreate(random, subject, query, steps.length));
      else if (verb === 'prefix') steps.push(prefixedCreate(random, subject, query));
      else if (verb === 'update') steps.push(update(random, subject, query, random.pick(kept)));
      else {
        const name = `{{name}}-${steps.length}`;
        steps.push(create(subject, query, { name, ...randomChange(random) }));
        if (query['dryRun']) continue;
        // In case the first was refused.
        steps.push(create(subject, {}, { name }));
        kept.push(name);
      }
    }
    const leftovers = leftoversOf(
      subject,
      kept.map((name) => `${subject.collection}/${name}`),
    );
    return { area: 'metadata', kind: subject.key, steps, leftovers };
  },
};

type Query = Readonly<Record<string, string>>;

function randomQuery(random: Random): Query {
  return {
    ...(chance(random, 0.7) ? { dryRun: 'All' } : {}),
    ...(chance(random, 0.15) ? { fieldManager: random.pick(strangeManagers) } : {}),
  };
}

function create(subject: Subject, query: Query, fields: JsonObject): SequenceStep {
  return { method: 'POST', path: subject.collection, query, body: { ...baseObject(subject), metadata: fields } };
}

/** What is not in a namespace must have a name of its own where it is kept. */
function namedCreate(random: Random, subject: Subject, query: Query, index: number): SequenceStep {
  const isKept = !subject.info.namespaced && !query['dryRun'];
  return create(subject, isKept ? { ...query, dryRun: 'All' } : query, {
    name: isKept ? `{{name}}-${index}` : random.pick(strangeNames),
  });
}

function prefixedCreate(random: Random, subject: Subject, query: Query): SequenceStep {
  const generateName = random.pick([...strangeNames, ...namePrefixes, ...namePrefixes, ...namePrefixes]);
  const name = maybe(random, 0.2, () => random.pick(strangeNames));
  return create(subject, { ...query, dryRun: 'All' }, compact({ generateName, name }));
}

function update(random: Random, subject: Subject, query: Query, name: string): SequenceStep {
  const path = `${subject.collection}/${name}`;
  const given = maybe(random, 0.3, () => random.pick(['other', '', name]));
  const fields = compact({ ...randomChange(random), name: given });
  const way = random.pick(['merge', 'put', 'apply', 'strategic'] as const);
  if (way === 'put') {
    const edits = Object.entries(fields).map(([key, value]) => ({ path: ['metadata', key], value }));
    return { method: 'PUT', path, query, edits };
  }
  if (way !== 'apply') return { method: 'PATCH', path, query, type: patchTypes[way], body: { metadata: fields } };
  const body = { apiVersion: subject.apiVersion, kind: subject.info.kind, metadata: fields };
  return { method: 'PATCH', path, query: { fieldManager: 'm1', ...query }, type: patchTypes.apply, body };
}

function randomChange(random: Random): JsonObject {
  const change = random.pick(changes)(random);
  return chance(random, 0.3) ? { ...change, ...random.pick(changes)(random) } : change;
}

const pairs = (random: Random, keys: readonly string[], values: readonly JsonValue[]): JsonObject =>
  Object.fromEntries(times(random.between(1, 2), () => [random.pick(keys), random.pick(values)]));

/** Metadata of one sort at a time. */
const changes: readonly ((random: Random) => JsonObject)[] = [
  (random) => ({ labels: pairs(random, strangeKeys, ['x', 'y']) }),
  (random) => ({ labels: pairs(random, labelKeys, [...strangeLabelValues, {}]) }),
  (random) => ({ annotations: pairs(random, strangeKeys, ['', 'é\u0000', 'a\nb', '☃', 5, null]) }),
  (random) => ({
    annotations: random.pick<JsonValue>([{ a: 'x'.repeat(random.pick(annotationSizes)) }, { '': 'x' }, null, []]),
  }),
  (random) => ({ finalizers: some(random, strangeFinalizers, 1) }),
  (random) => ({ ownerReferences: times(random.between(1, 3), () => randomOwner(random)) }),
  (random) => ({ clusterName: random.pick(['c', 'C C', '']) }),
  (random) => compact({ generation: random.pick([5, -1, 0]), deletionGracePeriodSeconds: maybe(random, 0.3, () => 5) }),
  (random) => ({
    selfLink: '/x',
    creationTimestamp: random.pick([
      '2020-01-01T00:00:00Z',
      null,
      'unknown',
      '2020-01-01T00:00:00.5Z',
      '2020-01-01T00:00:00+02:00',
    ]),
  }),
  (random) => ({ deletionTimestamp: random.pick(['2020-01-01T00:00:00Z', null]) }),
  (random) => ({
    [random.pick(['uid', 'resourceVersion', 'namespace'])]: random.pick(['', '5', 'x', '{{ns}}', 'default']),
  }),
];

function randomOwner(random: Random): JsonObject {
  return compact({
    apiVersion: maybe(random, 0.95, () => random.pick(['v1', 'apps/v1', '', 'a/b/c', '/v1', 'v1/', 'x'])),
    kind: maybe(random, 0.95, () => random.pick(['ConfigMap', '', 'Event', 'x'])),
    name: maybe(random, 0.95, () => random.pick(['n', '', 'A B', 'a'.repeat(254)])),
    uid: maybe(random, 0.95, () => random.pick(['u', '', 'v', 'u'])),
    controller: maybe(random, 0.5, () => random.pick([true, false, true, null])),
    blockOwnerDeletion: maybe(random, 0.3, () => chance(random, 0.5)),
  });
}

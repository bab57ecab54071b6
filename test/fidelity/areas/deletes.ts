import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { baseObject, itemPath } from '../bodies/base-object.ts';
import { chance, maybe, some, times, weighted } from '../choices.ts';
import { compact } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import { type Area, leftoversOf } from './area.ts';
import { namedBySpec } from './lists.ts';
import { patchTypes } from './write-steps.ts';

/** Deletes with all options, preconditions and finalizers, and writes to what is being deleted. */
export const deletes: Area = {
  name: 'deletes',
  takes: ({ info }) => !namedBySpec.has(info.resource),
  draw(random, subject) {
    const steps = [create(random, subject), ...times(random.between(5, 16), () => step(random, subject))];
    return { area: 'deletes', kind: subject.key, steps, leftovers: leftoversOf(subject, [itemPath(subject)]) };
  },
};

const finalizers: readonly string[] = ['example.com/a', 'example.com/b', 'foregroundDeletion', 'orphan'];

function create(random: Random, subject: Subject): SequenceStep {
  const body = baseObject(subject);
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  body['metadata'] = { ...metadata, ...(chance(random, 0.6) ? { finalizers: some(random, finalizers, 1, 2) } : {}) };
  return { method: 'POST', path: subject.collection, body: placed(random, subject, body) };
}

/** Only pods on a node are given time. */
function placed(random: Random, { info }: Subject, object: JsonObject): JsonObject {
  const { spec } = object;
  if (info.resource !== 'pods' || !isJsonObject(spec)) return object;
  const nodeName = maybe(random, 0.5, () => 'n1');
  const terminationGracePeriodSeconds = maybe(random, 0.4, () => random.pick([0, 1, 5]));
  return { ...object, spec: compact({ ...spec, nodeName, terminationGracePeriodSeconds }) };
}

function step(random: Random, subject: Subject): SequenceStep {
  const kind = weighted(random, {
    body: 5,
    query: 4,
    both: 1.5,
    plain: 1,
    get: 2,
    finalizers: 4,
    recreate: 4,
    edit: 1.5,
    put: 2,
    malformed: 0.5,
    collection: subject.version.verbs.includes('deletecollection') ? 1.2 : 0,
  });
  return stepsByKind[kind](random, subject, itemPath(subject));
}

type StepKind =
  | 'body'
  | 'query'
  | 'both'
  | 'plain'
  | 'get'
  | 'finalizers'
  | 'recreate'
  | 'edit'
  | 'put'
  | 'malformed'
  | 'collection';

const stepsByKind: Readonly<Record<StepKind, (random: Random, subject: Subject, path: string) => SequenceStep>> = {
  body: (random, _, path) => ({ method: 'DELETE', path, body: deleteOptions(random) }),
  query: (random, _, path) => ({ method: 'DELETE', path, query: deleteQuery(random) }),
  both: (random, _, path) => ({ method: 'DELETE', path, query: deleteQuery(random), body: deleteOptions(random) }),
  plain: (_, __, path) => ({ method: 'DELETE', path }),
  get: (_, __, path) => ({ method: 'GET', path }),
  finalizers: (random, _, path) => mergePatch(path, finalizing(random)),
  recreate: create,
  edit: (random, _, path) => mergePatch(path, conditional(random)),
  put: (random, _, path) => ({ method: 'PUT', path, edits: versionEdits(random) }),
  malformed: (random, _, path) => ({ method: 'DELETE', path, body: random.pick(malformed) }),
  collection: deleteCollection,
};

function mergePatch(path: string, metadata: JsonObject): SequenceStep {
  return { method: 'PATCH', path, type: patchTypes.merge, body: { metadata } };
}

const malformed: readonly JsonValue[] = [{}, [], { kind: 'ConfigMap', apiVersion: 'v1' }, { unknown: 1 }];

function deleteOptions(random: Random): JsonObject {
  const preconditions = (): JsonObject =>
    compact({
      uid: maybe(random, 0.6, () => random.pick(['{{uid}}', 'wrong', ''])),
      resourceVersion: maybe(random, 0.5, () => random.pick(['{{rv}}', '1', ''])),
    });
  return compact({
    kind: maybe(random, 0.6, () => random.pick(['DeleteOptions', 'DeleteOptions', 'Unknown'])),
    apiVersion: maybe(random, 0.5, () => random.pick(['v1', 'v1', 'meta.k8s.io/v1', 'apps/v1', 'unknown/v1'])),
    propagationPolicy: maybe(random, 0.5, () =>
      random.pick(['Foreground', 'Background', 'Orphan', 'unknown', '', null]),
    ),
    orphanDependents: maybe(random, 0.2, () => chance(random, 0.5)),
    gracePeriodSeconds: maybe(random, 0.4, () => random.pick<JsonValue>([0, 1, 5, 30, -1, -5, null, '5', 1.5])),
    preconditions: maybe(random, 0.35, preconditions),
    dryRun: maybe(random, 0.15, () =>
      random.pick<JsonValue>([['All'], ['All'], [], ['unknown'], ['All', 'All'], 'All']),
    ),
  });
}

/** Each parameter with the share of requests that have it. */
const parameters: readonly (readonly [name: string, share: number, values: readonly string[]])[] = [
  ['propagationPolicy', 0.4, ['Foreground', 'Background', 'Orphan', 'unknown', '']],
  ['orphanDependents', 0.15, ['true', 'false', 'x', '']],
  ['gracePeriodSeconds', 0.4, ['0', '1', '5', '-1', 'x', '']],
  ['dryRun', 0.15, ['All', 'All', '', 'unknown']],
  ['preconditions', 0.03, ['x']],
];

function deleteQuery(random: Random): Record<string, string> {
  const chosen = parameters.filter(([, share]) => chance(random, share));
  return Object.fromEntries(chosen.map(([name, , values]) => [name, random.pick(values)]));
}

function deleteCollection(random: Random, { info, collection }: Subject): SequenceStep {
  const own: Record<string, string> = info.namespaced ? {} : { fieldSelector: 'metadata.name={{name}}' };
  const body = maybe(random, 0.4, () => deleteOptions(random));
  const query = { ...own, ...deleteQuery(random) };
  return { method: 'DELETE', path: collection, query, ...(body ? { body } : {}) };
}

function finalizing(random: Random): JsonObject {
  const lists = [null, [], ['example.com/a'], ['example.com/new'], ['foregroundDeletion'], ['orphan', 'example.com/a']];
  return compact({
    finalizers: random.pick<JsonValue>(lists),
    deletionTimestamp: maybe(random, 0.1, () => null),
    deletionGracePeriodSeconds: maybe(random, 0.1, () => random.pick([null, 0, 7])),
  });
}

function conditional(random: Random): JsonObject {
  return compact({
    labels: { e: random.pick(['x', 'y', 'z']) },
    resourceVersion: maybe(random, 0.3, () => random.pick(['{{rv}}', '1', ''])),
    uid: maybe(random, 0.2, () => random.pick(['{{uid}}', 'wrong', ''])),
  });
}

function versionEdits(random: Random): NonNullable<SequenceStep['edits']> {
  const labels = { path: ['metadata', 'labels'], value: { p: random.pick(['x', 'y', 'z']) } };
  const field = random.pick(['resourceVersion', 'uid']);
  const value = maybe(random, 0.6, () => random.pick(['1', '', 'abc', '0', 'wrong']));
  return [labels, { path: ['metadata', field], ...(value === undefined ? {} : { value }) }];
}

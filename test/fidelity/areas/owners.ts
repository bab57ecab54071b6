import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { baseObject, itemPath } from '../bodies/base-object.ts';
import { chance, maybe, some, times, weighted } from '../choices.ts';
import { compact } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import type { Area } from './area.ts';
import { patchTypes } from './write-steps.ts';

/** Objects that own each other, with finalizers, deleted with each propagation. Their collector does not run. */
export const owners: Area = {
  name: 'owners',
  takes: ({ info }) => info.namespaced,
  draw(random, subject) {
    const steps = [
      ...names.map((name, index) => create(random, subject, name, names.slice(0, index))),
      ...times(random.between(4, 14), () => step(random, subject)),
      { method: 'GET', path: subject.collection } as const,
    ];
    return { area: 'owners', kind: subject.key, steps, leftovers: [] };
  },
};

const names: readonly string[] = ['a', 'b', 'c'];
const finalizers: readonly string[] = ['example.com/a', 'foregroundDeletion', 'orphan'];

function create(random: Random, subject: Subject, name: string, above: readonly string[]): SequenceStep {
  const body = baseObject(subject, name);
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
  const ownerReferences = above.length > 0 && chance(random, 0.8) ? references(random, subject, above) : undefined;
  const held = maybe(random, 0.3, () => some(random, finalizers, 1, 2));
  body['metadata'] = compact({ ...metadata, ownerReferences, finalizers: held });
  return { method: 'POST', path: subject.collection, body, remember: name };
}

function references(random: Random, subject: Subject, above: readonly string[]): JsonValue[] {
  return some(random, above, 1).map((name) => reference(random, subject, name));
}

function reference(random: Random, { apiVersion, info }: Subject, name: string): JsonObject {
  return compact({
    apiVersion,
    kind: info.kind,
    name,
    uid: random.pick([`{{${name}.uid}}`, `{{${name}.uid}}`, `{{${name}.uid}}`, 'gone']),
    controller: maybe(random, 0.4, () => chance(random, 0.6)),
    blockOwnerDeletion: maybe(random, 0.4, () => chance(random, 0.7)),
  });
}

function step(random: Random, subject: Subject): SequenceStep {
  const name = random.pick(names);
  const kind = weighted(random, { remove: 5, own: 3, disown: 2, release: 3, get: 1, apply: 2, recreate: 1 });
  return stepsByKind[kind](random, subject, { name, path: itemPath(subject, name) });
}

interface Target {
  readonly name: string;
  readonly path: string;
}

type StepKind = 'remove' | 'own' | 'disown' | 'release' | 'get' | 'apply' | 'recreate';

const stepsByKind: Readonly<Record<StepKind, (random: Random, subject: Subject, target: Target) => SequenceStep>> = {
  remove: (random, _, { path }) => {
    const body = maybe(random, 0.8, () => ({
      propagationPolicy: random.pick(['Foreground', 'Background', 'Orphan']),
    }));
    return { method: 'DELETE', path, ...(body ? { body } : {}) };
  },
  own: (random, subject, { path }) => {
    const ownerReferences = references(random, subject, names);
    return patch(path, random.pick(['merge', 'strategic']), { metadata: { ownerReferences } });
  },
  disown: (random, _, { path }) => {
    const directive = { $patch: 'delete', uid: `{{${random.pick(names)}.uid}}` };
    return chance(random, 0.5)
      ? patch(path, 'strategic', { metadata: { ownerReferences: [directive] } })
      : patch(path, 'json', [{ op: 'remove', path: '/metadata/ownerReferences/0' }]);
  },
  release: (random, _, { path }) => {
    const held = random.pick<JsonValue>([null, [], ['example.com/a'], ['orphan']]);
    return patch(path, 'merge', { metadata: { finalizers: held } });
  },
  get: (_, __, { path }) => ({ method: 'GET', path }),
  apply,
  recreate: (random, subject, { name }) => create(random, subject, name, names),
};

function patch(path: string, type: 'merge' | 'strategic' | 'json', body: JsonValue): SequenceStep {
  return { method: 'PATCH', path, type: patchTypes[type], body };
}

function apply(random: Random, subject: Subject, { name, path }: Target): SequenceStep {
  const metadata = { name, ownerReferences: references(random, subject, names) };
  const body = { apiVersion: subject.apiVersion, kind: subject.info.kind, metadata };
  const query = { fieldManager: random.pick(['m1', 'm2']), ...(chance(random, 0.4) ? { force: 'true' } : {}) };
  return { method: 'PATCH', path, type: patchTypes.apply, query, body };
}

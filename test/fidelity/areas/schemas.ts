import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Random } from '../../robustness/random.ts';
import { randomInstance } from '../bodies/random-instance.ts';
import { changedSchema } from '../bodies/changed-schema.ts';
import { randomSchema } from '../bodies/random-schema.ts';
import { chance, some, weighted } from '../choices.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Area } from './area.ts';
import { patchTypes } from './write-steps.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The group of a kind. Its name shows kinds whose objects the reference owns as if they had no schema. */
function groupOf(isUntyped: boolean): string {
  return `${isUntyped ? 'untyped.' : ''}{{ns}}.example.com`;
}

function definitionOf({ group }: Pick<RandomKind, 'group'>): string {
  return `${definitions}/widgets.${group}`;
}

/** A definition costs the reference as much as some hundred other writes, and a change of one half as much. */
const stepCount = 400;
const changeShare = 0.0075;

const objects = ['one', 'two', 'three', 'four'];

/** Objects of a kind with a random schema, which several managers apply, patch and replace while the schema changes. */
export const schemas: Area = {
  name: 'schemas',
  takes: ({ key }) => key === 'apiextensions/v1/customresourcedefinitions',
  draw(random, subject) {
    const kind = randomKind(random);
    const steps: SequenceStep[] = [create(kind)];
    while (steps.length < stepCount) {
      if (chance(random, changeShare)) steps.push(change(random, kind));
      else steps.push(step(random, kind));
    }
    return { area: 'schemas', kind: subject.key, steps, leftovers: [definitionOf(kind)] };
  },
};

/** A kind, whose versions have one schema or several. A change of the definition changes one schema. */
interface RandomKind {
  readonly group: string;
  versions: readonly RandomVersion[];
  readonly hasStatus: boolean;
}

interface RandomVersion {
  readonly name: string;
  readonly schema: JsonObject;
}

function randomKind(random: Random): RandomKind {
  const isUntyped = chance(random, 0.2);
  const schema = randomSchema(random, isUntyped);
  const first = { name: 'v1', schema };
  const versions = chance(random, 0.4) ? [first, { name: 'v2', schema: otherSchema(random, schema) }] : [first];
  return { group: groupOf(isUntyped), versions, hasStatus: chance(random, 0.6) };
}

/**
 * The schema of another version. Mostly it differs in little, since the reference refuses the writes of an object that
 * has fields which the version of one of its managers does not declare.
 */
function otherSchema(random: Random, schema: JsonObject): JsonObject {
  let other = schema;
  for (let left = random.between(0, 2); left > 0; left--) other = changedSchema(random, other);
  return other;
}

function versionsOf({ versions, hasStatus }: RandomKind): JsonValue {
  return versions.map(({ name, schema }) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: schema },
    ...(hasStatus ? { subresources: { status: {} } } : {}),
  }));
}

function collection(group: string, version: string): string {
  return `/apis/${group}/${version}/namespaces/{{ns}}/widgets`;
}

function create(kind: RandomKind): SequenceStep {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const { group } = kind;
  const spec = { group, scope: 'Namespaced', names, versions: versionsOf(kind) };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec,
  };
  return { method: 'POST', path: definitions, body, until: collection(kind.group, 'v1') };
}

function change(random: Random, kind: RandomKind): SequenceStep {
  const { schema: before } = random.pick(kind.versions);
  const schema = changedSchema(random, before);
  kind.versions = kind.versions.map((version) => (version.schema === before ? { ...version, schema } : version));
  const body = { spec: { versions: versionsOf(kind) } };
  return {
    method: 'PATCH',
    path: definitionOf(kind),
    type: patchTypes.merge,
    body,
    until: collection(kind.group, 'v1'),
  };
}

/** A version of a kind, and an object in it. */
interface Target {
  readonly group: string;
  readonly version: string;
  readonly schema: JsonObject;
  readonly name: string;
  readonly path: string;
}

function step(random: Random, kind: RandomKind): SequenceStep {
  const { name: version, schema } = random.pick(kind.versions);
  const name = random.pick(objects);
  const { group } = kind;
  const target = { group, version, schema, name, path: `${collection(group, version)}/${name}` };
  const weights = { apply: 10, patch: 3, put: 2, get: 1.5, list: 0.5, remove: 0.3, status: kind.hasStatus ? 3 : 0 };
  return { ...stepsByKind[weighted(random, weights)](random, target), object: name };
}

type StepKind = 'apply' | 'patch' | 'put' | 'get' | 'list' | 'remove' | 'status';

const stepsByKind: Readonly<Record<StepKind, (random: Random, target: Target) => SequenceStep>> = {
  apply: (random, target) => ({
    method: 'PATCH',
    path: target.path,
    type: patchTypes.apply,
    query: { fieldManager: manager(random, target, ['m1', 'm2']), ...force(random) },
    body: instance(target, { spec: part(random, target, 'spec') }),
  }),
  patch: (random, target) => ({
    method: 'PATCH',
    path: target.path,
    type: patchTypes.merge,
    query: { fieldManager: random.pick(['p1', 'p2']) },
    body: mergePatch(random, target),
  }),
  put: (random, target) => ({
    method: 'PUT',
    path: target.path,
    query: { fieldManager: 'u1' },
    body: instance(target, { spec: part(random, target, 'spec') }),
    edits: [{ path: ['spec'], value: part(random, target, 'spec') }],
  }),
  get: (_, { path }) => ({ method: 'GET', path }),
  // The object of the step alone, so that no other one's differences are in the list.
  list: (random, { group, version, name }) => ({
    method: 'GET',
    path: collection(group, version),
    query: {
      fieldSelector: `metadata.name=${name}`,
      ...(chance(random, 0.3) ? { limit: '1' } : {}),
      ...(chance(random, 0.3) ? { resourceVersion: '0' } : {}),
    },
  }),
  remove: (_, { path }) => ({ method: 'DELETE', path }),
  status: (random, target) => {
    const path = `${target.path}/status`;
    const body = { status: part(random, target, 'status') };
    return chance(random, 0.5)
      ? { method: 'PATCH', path, type: patchTypes.merge, query: { fieldManager: 's1' }, body }
      : {
          method: 'PATCH',
          path,
          type: patchTypes.apply,
          query: { fieldManager: manager(random, target, ['s2', 's3']), ...force(random) },
          body: instance(target, body),
        };
  },
};

/** One manager of a version: the reference keeps what a manager omits that applied it through another version. */
function manager(random: Random, { version }: Target, names: readonly string[]): string {
  return `${random.pick(names)}-${version}`;
}

function force(random: Random): Readonly<Record<string, string>> {
  return chance(random, 0.4) ? { force: 'true' } : {};
}

function instance({ group, version, name }: Target, rest: JsonObject): JsonObject {
  return { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name }, ...rest };
}

function part(random: Random, { schema }: Pick<Target, 'schema'>, name: 'spec' | 'status'): JsonObject {
  return randomInstance(random, objectAt(schema, 'properties', name));
}

function mergePatch(random: Random, target: Pick<Target, 'schema'>): JsonObject {
  if (chance(random, 0.2)) return { metadata: { labels: { a: random.pick(['b', 'c']) } } };
  return { spec: withNulls(random, part(random, target, 'spec')) };
}

/** A merge patch that also removes some fields. */
function withNulls(random: Random, patch: JsonObject): JsonObject {
  if (!chance(random, 0.4)) return patch;
  return { ...patch, ...Object.fromEntries(some(random, Object.keys(patch), 1, 2).map((name) => [name, null])) };
}

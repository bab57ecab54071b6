import assert from 'node:assert/strict';
import { assert as holds, asyncProperty, integer } from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/meta/json-value.ts';
import { objectAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { type Random, randomFrom } from '../robustness/random.ts';
import { randomInstance } from './bodies/random-instance.ts';
import { changedSchema } from './bodies/changed-schema.ts';
import { randomSchema } from './bodies/random-schema.ts';
import { chance, weighted } from './choices.ts';
import { type Empties, emptiesOf, isMember, type Leaves, leavesOf, membersAround } from './leaves.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const types = { apply: 'application/apply-patch+yaml', patch: 'application/merge-patch+json' } as const;
const managers = ['m1', 'm2', 'm3'];
const stepCount = 25;
/** Each run is a definition and some 25 writes. The seeds are fixed: a run of the gate always does the same. */
const runs = { numRuns: 12, seed: 4711, endOnFailure: true, includeErrorInReport: true };

/** A part of an object as a model knows it: its values, who owns each, and what each manager has applied last. */
interface Model {
  leaves: Leaves;
  owners: Map<string, Set<string>>;
  readonly applied: Map<string, Applied>;
}

interface Applied {
  readonly value: JsonObject;
  readonly leaves: Leaves;
}

/** The parts that are written by themselves, the status through its sub-resource: owners of one own nothing in the other. */
const parts = ['spec', 'status'] as const;
type ObjectPart = (typeof parts)[number];

describe('What nobody removes from an object of any schema', () => {
  let server: TestServer;
  let serial = 0;

  before(async () => {
    server = await startServer({ identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  it('is still there after applies, patches and labels of others, and is not taken without a conflict', async () => {
    await holds(
      asyncProperty(integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => play(server, randomFrom(seed), `g${serial++}`)),
      runs,
    );
  });
});

/** The kind of a run: its versions have one schema, which changes. */
interface Kind {
  readonly group: string;
  readonly versions: readonly string[];
  schema: JsonObject;
  /** Counts the schemas; each object has it by default. */
  state: number;
}

/** Plays the writes of a seed, and holds each answer against the model. */
async function play(server: TestServer, random: Random, name: string): Promise<void> {
  const versions = chance(random, 0.5) ? ['v1', 'v2'] : ['v1'];
  const kind: Kind = {
    group: `${name}.example.com`,
    versions,
    schema: randomSchema(random, chance(random, 0.2)),
    state: 0,
  };
  await define(server, kind);
  const models = { spec: newModel(), status: newModel() };
  for (let step = 0; step < stepCount; step++) {
    if (step > 0 && chance(random, 0.08)) await changeSchema(server, random, kind, models);
    const write = drawWrite(random, kind, step === 0);
    const subresource = write.part === 'status' ? '/status' : '';
    const path = `${collectionOf(kind, random.pick(versions))}/one${subresource}${write.query}`;
    const answer = await request(server, 'PATCH', path, write.body(path), { 'content-type': types[write.type] });
    judge(models, { ...write, text: `${path} ${JSON.stringify(write.body(path))}` }, answer, kind.schema);
  }
}

function newModel(): Model {
  return { leaves: new Map(), owners: new Map(), applied: new Map() };
}

function leavesOfPart(schema: JsonObject, object: JsonObject, part: ObjectPart): Leaves {
  return object[part] === undefined ? new Map() : leavesOf(schemaOf(schema, part), objectAt(object, part));
}

function schemaOf(schema: JsonObject, part: ObjectPart): JsonObject {
  return objectAt(schema, 'properties', part);
}

function drawWrite(random: Random, { schema, group }: Kind, isFirst: boolean) {
  const part: ObjectPart = !isFirst && chance(random, 0.3) ? 'status' : 'spec';
  const kind = weighted(random, { apply: 6, patch: isFirst ? 0 : 2, label: isFirst || part === 'status' ? 0 : 1 });
  const manager = kind === 'apply' ? random.pick(managers) : 'p';
  const force = kind === 'apply' && chance(random, 0.4);
  const value = kind === 'label' ? {} : randomInstance(random, schemaOf(schema, part));
  const label = random.pick(['a', 'b', 'c']);
  const body = (path: string): JsonObject => {
    if (kind === 'label') return { metadata: { labels: { label } } };
    if (kind === 'patch') return { [part]: value };
    const version = path.includes('/v2/') ? 'v2' : 'v1';
    return { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name: 'one' }, [part]: value };
  };
  const query = `?fieldManager=${manager}${force ? '&force=true' : ''}`;
  const type = kind === 'apply' ? ('apply' as const) : ('patch' as const);
  const config = leavesOf(schemaOf(schema, part), value);
  const empties = emptiesOf(schemaOf(schema, part), value);
  return { kind, part, manager, force, value, config, empties, query, type, body };
}

/** Changes the schema: what it still declares or keeps is still there, with its owners. */
async function changeSchema(
  server: TestServer,
  random: Random,
  kind: Kind,
  models: Readonly<Record<ObjectPart, Model>>,
): Promise<void> {
  const path = `${collectionOf(kind, 'v1')}/one`;
  const before = (await request(server, 'GET', path)).body as JsonObject;
  kind.schema = changedSchema(random, kind.schema);
  kind.state++;
  const patched = await request(
    server,
    'PATCH',
    `${definitions}/widgets.${kind.group}`,
    { spec: { versions: versionsOf(kind) } },
    { 'content-type': types.patch },
  );
  assert.equal(patched.status, 200, patched.text);
  await untilServed(server, kind);
  const after = (await request(server, 'GET', path)).body as JsonObject;
  for (const part of parts) {
    const schema = schemaOf(kind.schema, part);
    const stays = (name: string): boolean =>
      Object.hasOwn(objectAt(schema, 'properties'), name) || schema['x-kubernetes-preserve-unknown-fields'] === true;
    for (const [name, value] of Object.entries(objectAt(before, part)).filter(([each]) => stays(each)))
      assert.deepEqual(objectAt(after, part)[name], value, `a new schema removes ${part}.${name}`);
    adopt(models[part], schema, leavesOfPart(kind.schema, after, part));
  }
}

/** Reads what a model knows in another schema: a list that became atomic has the owners of all that was in it. */
function adopt(model: Model, schema: JsonObject, leaves: Leaves): void {
  const before = [...model.owners];
  model.leaves = leaves;
  model.owners = new Map(
    [...leaves.keys()].map((path) => {
      // Who owns an item or a key does not own what is in it.
      const isOwned = (other: string): boolean => (isMember(other) ? path === other : touches(path, other));
      const owners = before.filter(([other]) => isOwned(other)).flatMap(([, each]) => [...each]);
      return [path, new Set(owners)];
    }),
  );
  for (const [manager, applied] of model.applied)
    model.applied.set(manager, { ...applied, leaves: leavesOf(schema, applied.value) });
}

interface Write {
  readonly kind: 'apply' | 'patch' | 'label';
  readonly part: ObjectPart;
  readonly value: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly config: Leaves;
  readonly empties: Empties;
  readonly text: string;
}

function judge(
  models: Readonly<Record<ObjectPart, Model>>,
  write: Write,
  answer: HttpResponse,
  schema: JsonObject,
): void {
  const { kind, part, manager, force, config, text } = write;
  const model = models[part];
  // Whole objects inside may have lost their types, without which they are invalid.
  if (answer.status === 422) return;
  if (answer.status === 409) {
    assert.ok(kind === 'apply' && !force, `${text}: ${answer.text}`);
    return;
  }
  assert.ok(answer.status < 300, `${text}: ${answer.text}`);
  const body = answer.body as JsonObject;
  const next = leavesOfPart(schema, body, part);
  const other: ObjectPart = part === 'spec' ? 'status' : 'spec';
  const untouched = leavesOfPart(schema, body, other);
  assert.deepEqual(untouched, models[other].leaves, `${text} changes the ${other}`);
  for (const [path, value] of model.leaves) {
    const owners = model.owners.get(path) ?? new Set();
    const others = [...owners].filter((one) => one !== manager);
    const isSet = sets(write, path);
    const isOmitted = kind === 'apply' && membersAround(path).some((member) => isLeftOut(model, write, member));
    if (next.get(path) === value || (isOmitted && !isSet)) continue;
    // A map or an item goes with the last value in it, unless another manager owns it.
    if (isMember(path) && (others.length === 0 || isSet)) continue;
    assert.ok(isSet || owners.size === 0, `${text} removes ${path} of ${[...owners].join()}: ${answer.text}`);
    assert.ok(kind !== 'apply' || force || others.length === 0, `${text} takes ${path} of ${others.join()}`);
  }
  // A patch is merged into values that an apply replaces.
  for (const [path, value] of kind === 'apply' ? config : []) {
    if (value !== 'null') assert.equal(next.get(path), value, `${text} does not set ${path}: ${answer.text}`);
  }
  update(model, write, next);
}

/** Whether a write sets a leaf, or something around it or inside it. */
function sets({ kind, config, empties: { maps, lists } }: Write, path: string): boolean {
  // An empty map takes the place of another value, and takes nothing out of a map.
  if (maps.includes(path)) return true;
  const set = [...config.keys()];
  const places = kind === 'patch' ? [...set, ...lists].map(outsideLists) : set;
  return places.some((place) => touches(place, path));
}

/** True for what a manager applied before and omits now, and nobody else owns. */
function isLeftOut({ applied, owners }: Model, { manager, config }: Write, member: string): boolean {
  const others = [...(owners.get(member) ?? [])].filter((one) => one !== manager);
  return applied.get(manager)?.leaves.has(member) === true && !config.has(member) && others.length === 0;
}

/** True for the same value, and for one inside the other. */
function touches(one: string, member: string): boolean {
  const other = member.replace(/\.$/, '');
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** A merge patch replaces lists whole, whatever their types are. */
function outsideLists(path: string): string {
  return path.replace(/\/[[=].*$/, '');
}

function update(model: Model, { kind, manager, config, value }: Write, next: Leaves): void {
  const before = model.leaves;
  model.leaves = next;
  for (const path of model.owners.keys()) if (!next.has(path)) model.owners.delete(path);
  if (kind === 'apply')
    for (const path of model.applied.get(manager)?.leaves.keys() ?? []) model.owners.get(path)?.delete(manager);
  for (const path of config.keys()) {
    const leaf = next.get(path);
    if (leaf === undefined) continue;
    const owners = before.get(path) === leaf ? (model.owners.get(path) ?? new Set<string>()) : new Set<string>();
    // A patch that changes nothing does not make its writer an owner.
    if (kind === 'apply' || before.get(path) !== leaf) owners.add(manager);
    model.owners.set(path, owners);
  }
  if (kind === 'apply') model.applied.set(manager, { value, leaves: config });
}

function collectionOf({ group }: Kind, version: string): string {
  return `/apis/${group}/${version}/namespaces/default/widgets`;
}

function versionsOf({ versions, schema, state }: Kind): JsonValue {
  const properties = { ...objectAt(schema, 'properties'), state: { type: 'integer', default: state } };
  return versions.map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { ...schema, properties } },
    subresources: { status: {} },
  }));
}

/** Defines widgets with a schema. */
async function define(server: TestServer, kind: Kind): Promise<void> {
  const { group } = kind;
  const names = { plural: 'widgets', kind: 'Widget' };
  const spec = { group, scope: 'Namespaced', names, versions: versionsOf(kind) };
  const created = await request(server, 'POST', definitions, { metadata: { name: `widgets.${group}` }, spec });
  assert.equal(created.status, 201, created.text);
  await untilServed(server, kind);
}

/** Waits until each version has the schema. */
async function untilServed(server: TestServer, kind: Kind): Promise<void> {
  for (const version of kind.versions) {
    await until('the schema to be served', async () => {
      const probe = { apiVersion: `${kind.group}/${version}`, kind: 'Widget', metadata: { name: 'probe' } };
      const { status, body } = await request(server, 'POST', `${collectionOf(kind, version)}?dryRun=All`, probe);
      return status === 201 && (body as JsonObject)['state'] === kind.state;
    });
  }
}

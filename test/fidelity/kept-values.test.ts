import assert from 'node:assert/strict';
import { assert as holds, asyncProperty, integer } from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/meta/json-value.ts';
import { objectAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { type Random, randomFrom } from '../robustness/random.ts';
import { randomInstance } from './bodies/random-instance.ts';
import { randomSchema } from './bodies/random-schema.ts';
import { chance, weighted } from './choices.ts';
import { isMember, type Leaves, leavesOf, membersAround } from './leaves.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const types = { apply: 'application/apply-patch+yaml', patch: 'application/merge-patch+json' } as const;
const managers = ['m1', 'm2', 'm3'];
const stepCount = 25;
/** Each run is a definition and some 25 writes. The seeds are fixed: a run of the gate always does the same. */
const runs = { numRuns: 12, seed: 4711, endOnFailure: true };

/** An object as a model knows it: its values, who owns each, and what each manager has applied last. */
interface Model {
  leaves: Leaves;
  readonly owners: Map<string, Set<string>>;
  readonly applied: Map<string, Leaves>;
}

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

/** Plays the writes of a seed, and holds each answer against the model. */
async function play(server: TestServer, random: Random, name: string): Promise<void> {
  const schema = randomSchema(random);
  const group = `${name}.example.com`;
  const path = await define(server, group, schema);
  const spec = objectAt(schema, 'properties', 'spec');
  const model: Model = { leaves: new Map(), owners: new Map(), applied: new Map() };
  for (let step = 0; step < stepCount; step++) {
    const kind = weighted(random, { apply: 6, patch: step === 0 ? 0 : 2, label: step === 0 ? 0 : 1 });
    const manager = kind === 'apply' ? random.pick(managers) : 'p';
    const force = kind === 'apply' && chance(random, 0.4);
    const value = kind === 'label' ? {} : randomInstance(random, spec);
    const body: JsonObject =
      kind === 'label'
        ? { metadata: { labels: { step: String(step) } } }
        : { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'one' }, spec: value };
    const query = `?fieldManager=${manager}${force ? '&force=true' : ''}`;
    const type = kind === 'apply' ? types.apply : types.patch;
    const answer = await request(server, 'PATCH', path + query, body, { 'content-type': type });
    const write = {
      kind,
      manager,
      force,
      config: leavesOf(spec, value),
      text: `${kind} ${manager} ${JSON.stringify(body)}`,
    };
    judge(model, write, answer, spec);
  }
}

interface Write {
  readonly kind: 'apply' | 'patch' | 'label';
  readonly manager: string;
  readonly force: boolean;
  readonly config: Leaves;
  readonly text: string;
}

function judge(model: Model, write: Write, answer: HttpResponse, spec: JsonObject): void {
  const { kind, manager, force, config, text } = write;
  // Whole objects inside may have lost their types, without which they are invalid.
  if (answer.status === 422) return;
  if (answer.status === 409) {
    assert.ok(kind === 'apply' && !force, `${text}: ${answer.text}`);
    return;
  }
  assert.ok(answer.status < 300, `${text}: ${answer.text}`);
  const next = leavesOf(spec, objectAt(answer.body as JsonObject, 'spec'));
  for (const [path, value] of model.leaves) {
    // A map or an item goes with the last value in it.
    if (isMember(path)) continue;
    const owners = model.owners.get(path) ?? new Set();
    const others = [...owners].filter((one) => one !== manager);
    const isSet = [...config.keys()].some((set) => touches(kind === 'patch' ? outsideLists(set) : set, path));
    const isOmitted = kind === 'apply' && membersAround(path).some((member) => isLeftOut(model, write, member));
    if (next.get(path) === value || (isOmitted && !isSet)) continue;
    assert.ok(isSet || owners.size === 0, `${text} removes ${path} of ${[...owners].join()}: ${answer.text}`);
    assert.ok(kind !== 'apply' || force || others.length === 0, `${text} takes ${path} of ${others.join()}`);
  }
  // A patch is merged into values that an apply replaces.
  for (const [path, value] of kind === 'apply' ? config : []) {
    if (value !== 'null') assert.equal(next.get(path), value, `${text} does not set ${path}: ${answer.text}`);
  }
  update(model, write, next);
}

/** True for what a manager applied before and omits now, and nobody else owns. */
function isLeftOut({ applied, owners }: Model, { manager, config }: Write, member: string): boolean {
  const others = [...(owners.get(member) ?? [])].filter((one) => one !== manager);
  return applied.get(manager)?.has(member) === true && !config.has(member) && others.length === 0;
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

function update(model: Model, { kind, manager, config }: Write, next: Leaves): void {
  const before = model.leaves;
  model.leaves = next;
  for (const path of model.owners.keys()) if (!next.has(path)) model.owners.delete(path);
  if (kind === 'apply')
    for (const path of model.applied.get(manager)?.keys() ?? []) model.owners.get(path)?.delete(manager);
  for (const path of config.keys()) {
    const value = next.get(path);
    if (value === undefined) continue;
    const owners = before.get(path) === value ? (model.owners.get(path) ?? new Set<string>()) : new Set<string>();
    // A patch that changes nothing does not make its writer an owner.
    if (kind === 'apply' || before.get(path) !== value) owners.add(manager);
    model.owners.set(path, owners);
  }
  if (kind === 'apply') model.applied.set(manager, config);
}

/** Defines widgets with a schema; returns the path of one of them. */
async function define(server: TestServer, group: string, schema: JsonObject): Promise<string> {
  const versions: JsonValue = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural: 'widgets', kind: 'Widget' };
  const definition = { metadata: { name: `widgets.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
  const created = await request(server, 'POST', definitions, definition);
  assert.equal(created.status, 201, created.text);
  const collection = `/apis/${group}/v1/namespaces/default/widgets`;
  await until('the definition to be served', async () => (await request(server, 'GET', collection)).status === 200);
  return `${collection}/one`;
}

import { stringify } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { itemPath } from '../bodies/base-object.ts';
import { isInner } from '../bodies/corrupted.ts';
import { randomObject, randomStatus } from '../bodies/random-object.ts';
import { chance, maybe, times, weighted } from '../choices.ts';
import { compact, pathsIn, valueAt } from '../json-paths.ts';
import { randomJsonPatch } from '../patches/json-patch.ts';
import { partialObject, withNulls, withoutIdentity } from '../patches/partial-object.ts';
import { withDirectives } from '../patches/with-directives.ts';
import type { Edit, SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';

/** The object that a sequence of writes is about. */
export interface WrittenObject {
  readonly subject: Subject;
  readonly name: string;
  /** How many appliers and updaters contend. */
  readonly managers: number;
}

/** Content types of patches. */
export const patchTypes = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const managerNames: readonly string[] = ['m1', 'm2', 'm3', 'm4'];
const userAgents: readonly string[] = ['agent/1.0', 'kubectl/v1.20 (linux)', 'a b/c'];

/** A create of the object. */
export function createStep(random: Random, written: WrittenObject, growth = 6): SequenceStep {
  const { subject, name } = written;
  const body = randomObject(random, subject, { name, growth, density: random.pick([0.05, 0.1, 0.2]) });
  return { method: 'POST', path: subject.collection, ...author(random, written), body };
}

/** A write of the object, its status or its scale, or now and then a read or a delete. */
export function writeStep(random: Random, written: WrittenObject): SequenceStep {
  const { subject } = written;
  const kind = weighted(random, {
    apply: 36,
    part: 8,
    put: 6,
    edit: 10,
    merge: 9,
    strategic: 12,
    json: 9,
    status: subject.statuses.length > 0 ? 10 : 0,
    scale: subject.hasScale ? 5 : 0,
    get: 1,
    remove: 1,
    finalizers: 1,
    managed: 1,
  });
  const step = stepsByKind[kind](random, written);
  if (step.method === 'GET' || !chance(random, 0.06)) return step;
  return { ...step, query: { ...step.query, dryRun: 'All' } };
}

type MakeStep = (random: Random, written: WrittenObject) => SequenceStep;

const stepsByKind: Readonly<
  Record<
    | 'apply'
    | 'part'
    | 'put'
    | 'edit'
    | 'merge'
    | 'strategic'
    | 'json'
    | 'status'
    | 'scale'
    | 'get'
    | 'remove'
    | 'finalizers'
    | 'managed',
    MakeStep
  >
> = {
  apply: (random, written) => apply(random, written, full(random, written)),
  part: (random, written) => apply(random, written, partialObject(random, full(random, written), 0.7)),
  put: (random, written) => {
    const body = full(random, written);
    const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
    const versioned = chance(random, 0.3) ? { ...body, metadata: { ...metadata, resourceVersion: '{{rv}}' } } : body;
    return { method: 'PUT', path: pathOf(written), ...author(random, written), body: versioned };
  },
  edit: (random, written) => {
    const edits = randomEdits(random, full(random, written));
    return { method: 'PUT', path: pathOf(written), ...author(random, written), edits };
  },
  merge: (random, written) => patch(random, written, 'merge', withNulls(random, slice(random, written))),
  strategic: (random, written) => {
    const body = withDirectives(random, written.subject.schema, slice(random, written));
    return patch(random, written, 'strategic', body);
  },
  json: (random, written) => patch(random, written, 'json', randomJsonPatch(random, full(random, written))),
  status: (random, written) => statusStep(random, written),
  scale: (random, written) => scaleStep(random, written),
  get: (_, written) => ({ method: 'GET', path: pathOf(written) }),
  remove: (_, written) => ({ method: 'DELETE', path: pathOf(written) }),
  finalizers: (random, written) => {
    const finalizers = random.pick([null, [], ['example.com/a'], ['example.com/b', 'example.com/a']]);
    return patch(random, written, 'merge', { metadata: { finalizers } });
  },
  managed: (random, written) => {
    const { apiVersion } = written.subject;
    const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:app': {} } } };
    const entry = { manager: 'm1', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1 };
    const managedFields = random.pick<JsonValue>([[{}], [{}], [], [entry], [{ manager: 'z', operation: 'Unknown' }]]);
    const labels = maybe(random, 0.3, () => ({ app: 'x' }));
    return patch(random, written, 'merge', { metadata: compact({ managedFields, labels }) });
  },
};

function pathOf({ subject, name }: WrittenObject): string {
  return itemPath(subject, name);
}

function full(random: Random, { subject, name }: WrittenObject): JsonObject {
  return randomObject(random, subject, { name, growth: 5, density: random.pick([0.05, 0.1, 0.3]) });
}

function slice(random: Random, written: WrittenObject): JsonObject {
  return withoutIdentity(random, partialObject(random, full(random, written), 0.65));
}

function author(random: Random, { managers }: WrittenObject): Pick<SequenceStep, 'query' | 'userAgent'> {
  if (chance(random, 0.06)) return { userAgent: random.pick(userAgents) };
  return { query: { fieldManager: random.pick(managerNames.slice(0, managers)) } };
}

function apply(random: Random, written: WrittenObject, body: JsonObject, path = pathOf(written)): SequenceStep {
  const { query = { fieldManager: 'm1' }, ...by } = author(random, written);
  const force = maybe(random, 0.5, () => random.pick(['true', 'true', 'true', 'false', '1']));
  return {
    method: 'PATCH',
    path,
    type: patchTypes.apply,
    ...by,
    query: { ...query, ...(force ? { force } : {}) },
    ...(chance(random, 0.5) ? { body } : { text: stringify(body) }),
  };
}

function patch(
  random: Random,
  written: WrittenObject,
  type: 'merge' | 'strategic' | 'json',
  body: JsonValue,
  path = pathOf(written),
): SequenceStep {
  return { method: 'PATCH', path, type: patchTypes[type], ...author(random, written), body };
}

function randomEdits(random: Random, source: JsonObject): Edit[] {
  const paths = pathsIn(source).filter((path) => isInner(path) && !path.some((key) => Number(key) > 0));
  return times(random.between(1, 3), () => {
    if (paths.length === 0) return { path: ['absent'] };
    const path = random.pick(paths);
    const value = valueAt(source, path);
    return value !== undefined && chance(random, 0.7) ? { path, value } : { path };
  });
}

function statusStep(random: Random, written: WrittenObject): SequenceStep {
  const { subject } = written;
  const path = `${pathOf(written)}/${random.pick(subject.statuses)}`;
  const status = randomStatus(random, subject);
  const schema = subject.schema.fields.get('status')?.schema;
  const kind = weighted(random, { apply: 4, put: 2, edit: 2, merge: 3, strategic: 3 });
  const whole = { ...full(random, { ...written }), status };
  if (kind === 'put') return { method: 'PUT', path, ...author(random, written), body: whole };
  if (kind === 'edit') {
    const edits = [{ path: ['status'], value: status }];
    return { method: 'PUT', path, ...author(random, written), edits };
  }
  if (kind === 'apply') return apply(random, written, statusOnly(whole), path);
  if (kind === 'merge' || schema?.type !== 'object' || !isJsonObject(status)) {
    return patch(random, written, 'merge', { status }, path);
  }
  return patch(random, written, 'strategic', { status: directedStatus(random, schema, status) }, path);
}

function directedStatus(random: Random, schema: ObjectSchema, status: JsonObject): JsonObject {
  return withDirectives(random, schema, status, 1);
}

function statusOnly({ apiVersion, kind, metadata, status }: JsonObject): JsonObject {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return compact({ apiVersion, kind, metadata: compact({ name }), status });
}

function scaleStep(random: Random, written: WrittenObject): SequenceStep {
  const path = `${pathOf(written)}/scale`;
  const replicas = random.pick([0, 1, 5, -1, null]);
  const kind = weighted(random, { get: 1, put: 1, merge: 1, strategic: 1, json: 1, apply: 1 });
  const metadata = compact({
    name: written.name,
    namespace: '{{ns}}',
    resourceVersion: maybe(random, 0.3, () => '{{rv}}'),
  });
  const spec = compact({ replicas: replicas ?? undefined });
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec };
  if (kind === 'get') return { method: 'GET', path };
  if (kind === 'put') return { method: 'PUT', path, ...author(random, written), body: scale };
  if (kind === 'apply') return apply(random, written, { ...scale, metadata: { name: written.name } }, path);
  if (kind === 'json') {
    return patch(random, written, 'json', [{ op: 'replace', path: '/spec/replicas', value: replicas }], path);
  }
  return patch(random, written, kind, { spec: { replicas } }, path);
}

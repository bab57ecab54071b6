import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { ApiResponse } from '../../api-target.ts';
import { applied, apply, type ExplainedStory, failure, live, owned, refusalOf, response, type Story } from './story.ts';

const definitions = 'apiextensions/v1/customresourcedefinitions';
const applyWidget = { ...apply, path: '/v1/widgets/a', object: 'a' };

/** What both servers answered with before: an object of a random kind. */
function liveWidget(body: JsonObject, reference = body): NonNullable<Story['before']> {
  return live(body, '/a', reference).map((each) => ({ ...each, step: { path: '/v2/widgets/a', object: 'a' } }));
}

/** An answer to a patch that left the object at some versions. */
function seenAt(reference: string, ours: string): NonNullable<Story['before']> {
  const at = (resourceVersion: string): ApiResponse => response(200, { metadata: { uid: 'u', resourceVersion } });
  const step = { method: 'PATCH', path: '/v2/widgets/a', object: 'a' } as const;
  return [{ step, reference: at(reference), ours: at(ours) }];
}

const ownedOfOther: JsonObject = owned({ 'f:spec': { 'f:s1': {} } });
const structOfOther: JsonObject = { spec: { o1: { s1: 'x' } } };
const wholeOfOther: JsonObject = { spec: { n2: { b: { e1: { kind: 'Part', s1: 'x' } } } } };

/** A refusal with the manager that each field conflicts with. */
function conflictsOf(managers: Readonly<Record<string, string>>): ApiResponse {
  return conflictsIn(Object.entries(managers));
}

/** As above; a field may be named twice. */
function conflictsIn(fields: readonly (readonly [field: string, manager: string])[]): ApiResponse {
  const causes = fields.map(([field, manager]) => ({
    field,
    message: `conflict with "${manager}" using example.com/v1`,
    reason: 'FieldManagerConflict',
  }));
  return response(409, { kind: 'Status', status: 'Failure', code: 409, details: { causes } });
}

/** A list with what another manager owns of it through v2. */
function listOfOther(list: JsonObject): JsonObject {
  const [apiVersion, fieldsV1] = ['example.com/v2', { 'f:spec': { 'f:k2': list } }];
  const managedFields = [{ manager: 'm', operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1 }];
  return { metadata: { managedFields }, spec: { k2: [{ name: 'b' }] } };
}

const itemOfList: JsonObject = { 'k:{"name":"b"}': { 'f:name': {} } };

/** The definition of a kind whose v2 declares some fields. */
function declaring(...names: readonly string[]): JsonObject {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'array' }]));
  const openAPIV3Schema = { properties: { spec: { properties } } };
  return { spec: { versions: [{ name: 'v1' }, { name: 'v2', schema: { openAPIV3Schema } }] } };
}

/** Stories of the rows that explain conflicts in objects of random kinds. */
export const customStories: readonly ExplainedStory[] = [
  {
    name: 'a value that an apply puts in the place of one in which another owns a part',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { u1: 'x' } } },
    before: liveWidget({ spec: { u1: { a: { b: 1 } } } }),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.u1.a.b': 'p1', '.spec.u1.a': 'p2' }),
    rows: ['replaced-parts'],
  },
  {
    name: 'a list that an apply changes, of which a manager owns items though its version declares it no more',
    kind: definitions,
    step: { ...applyWidget, body: { apiVersion: 'v1', spec: { k2: [{ name: 'x' }] } } },
    before: liveWidget(listOfOther(itemOfList)),
    definition: declaring('k1'),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.k2': 'm' }),
    rows: ['replaced-parts'],
  },
  {
    name: 'a list that an apply changes, of which a manager owns items in a version that declares it',
    kind: definitions,
    step: { ...applyWidget, body: { apiVersion: 'v1', spec: { k2: [{ name: 'x' }] } } },
    before: liveWidget(listOfOther(itemOfList)),
    definition: declaring('k1', 'k2'),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.k2': 'm' }),
    rows: undefined,
  },
  {
    name: 'the items of a list that the version of their owner declares no more',
    kind: definitions,
    step: { ...applyWidget, type: 'application/merge-patch+json', body: { metadata: {} } },
    before: liveWidget(listOfOther(itemOfList)),
    definition: declaring('k1'),
    reference: response(200, listOfOther(itemOfList)),
    ours: response(200, listOfOther({})),
    rows: ['replaced-parts'],
  },
  {
    name: 'the items of a list that the version of their owner declares',
    kind: definitions,
    step: { ...applyWidget, type: 'application/merge-patch+json', body: { metadata: {} } },
    before: liveWidget(listOfOther(itemOfList)),
    definition: declaring('k1', 'k2'),
    reference: response(200, listOfOther(itemOfList)),
    ours: response(200, { metadata: {}, spec: { k2: [{ name: 'b' }] } }),
    rows: undefined,
  },
  {
    name: 'a conflict here alone about a value that an apply does not replace',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { u1: { a: { b: 2 } } } } },
    before: liveWidget({ spec: { u1: { a: { b: 1 } } } }),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.u1.a.b': 'p1' }),
    rows: undefined,
  },
  {
    name: 'a conflict with a manager of a list in which it owns nothing',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { k1: [{ name: 'a', s1: 'y' }] } } },
    before: liveWidget({ ...owned({ 'f:spec': { 'f:k1': {} } }), spec: { k1: [{ name: 'a', s1: 'x' }] } }),
    reference: conflictsOf({ '.spec.k1[name="a"].s1': 'm' }),
    ours: response(200, {}),
    rows: ['empty-map-ownership'],
  },
  {
    name: 'a conflict there alone with a manager that owns something else',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { s1: 'y' } } },
    before: liveWidget({ ...owned({ 'f:spec': { 'f:s2': {} } }), spec: { s1: 'x', s2: 'x' } }),
    reference: conflictsOf({ '.spec.s1': 'm' }),
    ours: response(200, {}),
    rows: undefined,
  },
  {
    name: 'as many conflicts with each manager of a custom object, with other paths',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { s1: 'y', s2: 'y' } } },
    reference: conflictsOf({ '.spec.s3': 'p1', '.spec.s1': 'p2' }),
    ours: conflictsOf({ '.spec.s1': 'p1', '.spec.s2': 'p2' }),
    rows: ['conflict-paths'],
  },
  {
    name: 'as many conflicts with other managers of a custom object',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { s1: 'y' } } },
    reference: conflictsOf({ '.spec.s1': 'p1' }),
    ours: conflictsOf({ '.spec.s2': 'p2' }),
    rows: undefined,
  },
  {
    name: 'a write of an object with a field that the version of another manager does not declare',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { s1: 'y' } } },
    reference: failure(500, 'failed to update ManagedFields: .spec.s4: field not declared in schema'),
    ours: response(200, {}),
    rows: ['managers-of-versions'],
  },
  {
    name: 'a field of an apply that its own version does not declare, at this server alone',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { s4: 'y' } } },
    reference: response(200, {}),
    ours: failure(500, 'failed to create typed patch object: .spec.s4: field not declared in schema'),
    rows: undefined,
  },
  {
    name: 'managers that a write through another version than theirs has forgotten',
    kind: definitions,
    step: { ...applyWidget, type: 'application/merge-patch+json', body: { spec: { s1: 'y' } } },
    before: liveWidget({ apiVersion: 'v2', ...owned({ 'f:spec': { 'f:s4': {} } }), spec: { s1: 'x' } }),
    reference: response(200, { apiVersion: 'v2', metadata: {}, spec: { s1: 'y' } }),
    ours: response(200, { apiVersion: 'v2', ...owned({ 'f:spec': { 'f:s4': {} } }), spec: { s1: 'y' } }),
    rows: ['managers-of-versions'],
  },
  {
    name: 'managers that a write through their own version has forgotten',
    kind: definitions,
    step: { ...applyWidget, type: 'application/merge-patch+json', body: { spec: { s1: 'y' } } },
    before: liveWidget({ apiVersion: 'v1', ...owned({ 'f:spec': { 'f:s4': {} } }), spec: { s1: 'x' } }),
    reference: response(200, { apiVersion: 'v1', metadata: {}, spec: { s1: 'y' } }),
    ours: response(200, { apiVersion: 'v1', ...owned({ 'f:spec': { 'f:s4': {} } }), spec: { s1: 'y' } }),
    rows: undefined,
  },
  {
    name: 'what another owns in a struct that an apply omits, in a kind with integers or strings',
    kind: definitions,
    step: { ...applyWidget, path: '/apis/untyped.example.com/v1/widgets/a', query: { fieldManager: 'm' }, body: {} },
    before: liveWidget(structOfOther, { ...applied({ 'f:spec': { 'f:o1': {} } }), ...structOfOther }),
    reference: response(200, {}),
    ours: response(200, { spec: { o1: { s1: 'x' } } }),
    rows: ['release-typed-kinds'],
  },
  {
    name: 'the owner of a label of an object whose maps alone had owners, in a kind with integers or strings',
    kind: definitions,
    step: { ...applyWidget, type: 'application/merge-patch+json', path: '/apis/untyped.example.com/v1/widgets/a' },
    before: liveWidget({ spec: { a2: {} } }, { ...applied({ 'f:spec': { 'f:a2': {} } }), spec: { a2: {} } }),
    reference: response(200, owned({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })),
    ours: response(200, { metadata: {} }),
    rows: ['release-typed-kinds'],
  },
  {
    name: 'what another owns in a struct that an apply omits, in another kind',
    kind: definitions,
    step: { ...applyWidget, query: { fieldManager: 'm' }, body: {} },
    before: liveWidget(structOfOther),
    reference: response(200, {}),
    ours: response(200, { spec: { o1: { s1: 'x' } } }),
    rows: undefined,
  },
  {
    name: 'a field that an earlier write took away, which changed nothing in its version',
    kind: definitions,
    step: { path: '/v1/widgets/a', object: 'a' },
    before: [...seenAt('1', '1'), ...seenAt('2', '1')],
    reference: response(200, { spec: {} }),
    ours: response(200, { spec: { s1: 'x' } }),
    rows: ['unchanged-in-version'],
  },
  {
    name: 'a field that is missing after writes that both have stored',
    kind: definitions,
    step: { path: '/v1/widgets/a', object: 'a' },
    before: [...seenAt('1', '1'), ...seenAt('2', '2')],
    reference: response(200, { spec: {} }),
    ours: response(200, { spec: { s1: 'x' } }),
    rows: undefined,
  },
  {
    name: 'the default of a field that an earlier write took away, which changed nothing in its version',
    kind: definitions,
    step: { method: 'PATCH', path: '/v1/widgets/a', object: 'a' },
    before: [...liveWidget({ spec: { s1: 'x' } }), ...seenAt('1', '1'), ...seenAt('2', '1')],
    reference: response(200, { spec: { s1: 'd' } }),
    ours: response(200, { spec: { s1: 'x' } }),
    rows: ['unchanged-in-version'],
  },
  {
    name: 'a value that this server has alone after a write that the reference alone has stored',
    kind: definitions,
    step: { method: 'PATCH', path: '/v1/widgets/a', object: 'a' },
    before: [...liveWidget({ spec: { s1: 'y' } }), ...seenAt('1', '1'), ...seenAt('2', '1')],
    reference: response(200, { spec: { s1: 'd' } }),
    ours: response(200, { spec: { s1: 'x' } }),
    rows: undefined,
  },
  {
    name: 'the generation of an apply through a version that lacks a field',
    kind: definitions,
    step: applyWidget,
    before: liveWidget({ apiVersion: 'v2', metadata: { generation: 1 } }),
    reference: response(200, { apiVersion: 'v1', metadata: { generation: 1 } }),
    ours: response(200, { apiVersion: 'v1', metadata: { generation: 2 } }),
    rows: ['unchanged-in-version'],
  },
  {
    name: 'the generation of an apply through the version of all writes before',
    kind: definitions,
    step: applyWidget,
    before: liveWidget({ apiVersion: 'v1', metadata: { generation: 1 } }),
    reference: response(200, { apiVersion: 'v1', metadata: { generation: 1 } }),
    ours: response(200, { apiVersion: 'v1', metadata: { generation: 2 } }),
    rows: undefined,
  },
  {
    name: 'a whole object that keeps what another owns, in a kind with integers or strings',
    kind: definitions,
    step: { ...applyWidget, path: '/apis/untyped.example.com/v1/widgets/a', query: { fieldManager: 'm' }, body: {} },
    before: liveWidget(wholeOfOther, {
      ...applied({ 'f:spec': { 'f:n2': { 'f:b': { 'f:e1': { '.': {}, 'f:kind': {} } } } } }),
      ...wholeOfOther,
    }),
    reference: response(200, {}),
    ours: refusalOf({ 'spec.n2[b].e1.kind': 'Required value: must not be empty' }),
    rows: ['release-typed-kinds'],
  },
  {
    name: 'a whole object without a type that the applier did not own, in a kind with integers or strings',
    kind: definitions,
    step: { ...applyWidget, path: '/apis/untyped.example.com/v1/widgets/a', query: { fieldManager: 'm' }, body: {} },
    before: liveWidget(wholeOfOther),
    reference: response(200, {}),
    ours: refusalOf({ 'spec.n2[b].e1.kind': 'Required value: must not be empty' }),
    rows: undefined,
  },
  {
    name: 'the owner of an empty map that is applied in place of a full one, in a kind with integers or strings',
    kind: definitions,
    step: { ...applyWidget, path: '/apis/untyped.example.com/v1/widgets/a', body: { spec: { o1: { a2: {} } } } },
    before: liveWidget({
      ...applied({ 'f:spec': { 'f:o1': { 'f:a2': { '.': {}, 'f:c': {} } } } }),
      spec: { o1: { a2: { c: 'x' } } },
    }),
    reference: response(200, { ...applied({ 'f:spec': { 'f:o1': { 'f:a2': {} } } }), spec: { o1: {} } }),
    ours: response(200, { ...applied({ 'f:spec': { 'f:o1': { 'f:a2': {} } } }), spec: { o1: { a2: {} } } }),
    rows: ['release-typed-kinds'],
  },
  {
    name: 'a null that an apply of a custom object has for a map that a change of the schema took away',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { m2: null, i2: 3 } } },
    reference: response(0, null),
    ours: response(200, {}),
    rows: ['apply-panic'],
  },
  {
    name: 'an apply of a custom object without nulls to which there is no answer',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { i2: 3 } } },
    reference: response(0, null),
    ours: response(200, {}),
    rows: undefined,
  },
  {
    name: 'a keyed list that has an item twice, as the version of another manager allows',
    kind: definitions,
    step: applyWidget,
    reference: failure(
      500,
      'failed to prune fields: failed to convert merged object at version v1: .spec.k1: duplicate entries for key',
    ),
    ours: response(200, {}),
    rows: ['doubled-items'],
  },
  {
    name: 'a conflict about a set that an apply only orders, with a manager in whose version it is atomic',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { t1: ['y', 'x'] } } },
    before: liveWidget({ spec: { t1: ['x', 'y'] } }),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.t1': 'm' }),
    rows: ['release-applied-order'],
  },
  {
    name: 'a conflict here alone about a list to which an apply adds',
    kind: definitions,
    step: { ...applyWidget, body: { spec: { t1: ['y', 'z'] } } },
    before: liveWidget({ spec: { t1: ['x', 'y'] } }),
    reference: response(200, {}),
    ours: conflictsOf({ '.spec.t1': 'm' }),
    rows: undefined,
  },
  {
    name: 'a whole object that an apply empties together with a list',
    kind: definitions,
    step: applyWidget,
    reference: refusalOf({
      'spec.k1': 'Invalid value: "null": spec.k1 in body must be of type array: "null"',
      'spec.e1.kind': 'Required value: must not be empty',
    }),
    ours: response(200, {}),
    rows: ['emptied-values'],
  },
  {
    name: 'a whole object without a type',
    kind: definitions,
    step: applyWidget,
    reference: refusalOf({ 'spec.e1.kind': 'Required value: must not be empty' }),
    ours: response(200, {}),
    rows: undefined,
  },
  {
    name: 'a whole object that an apply omits',
    kind: definitions,
    step: { ...applyWidget, query: { fieldManager: 'm' }, body: { spec: {} } },
    before: liveWidget({
      ...applied({ 'f:spec': { 'f:e1': { 'f:kind': {} } } }),
      spec: { e1: { apiVersion: 'v1', kind: 'A' } },
    }),
    reference: refusalOf({ 'spec.e1.kind': 'Required value: must not be empty' }),
    ours: response(200, {}),
    rows: ['emptied-values'],
  },
  {
    name: 'a whole object in an item of another manager, where an apply omits the list',
    kind: definitions,
    step: { ...applyWidget, query: { fieldManager: 'm' }, body: { spec: {} } },
    before: liveWidget({
      ...applied({ 'f:spec': { 'f:k1': { 'k:{"name":"a"}': { 'f:e1': { 'f:kind': {} } } } } }),
      spec: { k1: [{ name: 'a', e1: { apiVersion: 'v1', kind: 'A' } }] },
    }),
    reference: refusalOf({ 'spec.k1[0].e1.kind': 'Required value: must not be empty' }),
    ours: response(200, {}),
    rows: ['emptied-values'],
  },
  {
    name: 'a whole object in an item, where an apply omits a field elsewhere',
    kind: definitions,
    step: { ...applyWidget, query: { fieldManager: 'm' }, body: { spec: {} } },
    before: liveWidget({
      ...applied({ 'f:spec': { 'f:s1': {} } }),
      spec: { s1: 'x', k1: [{ name: 'a', e1: { apiVersion: 'v1', kind: 'A' } }] },
    }),
    reference: refusalOf({ 'spec.k1[0].e1.kind': 'Required value: must not be empty' }),
    ours: response(200, {}),
    rows: undefined,
  },
  {
    name: 'an owner of a field that its version lacks, which another has set',
    kind: definitions,
    step: applyWidget,
    before: liveWidget({ apiVersion: 'v2', ...ownedOfOther }),
    reference: response(200, { apiVersion: 'v2', metadata: { managedFields: [] } }),
    ours: response(200, { apiVersion: 'v2', ...ownedOfOther }),
    rows: ['managers-of-versions'],
  },
  {
    name: 'an owner in the version of the apply whom one server alone knows',
    kind: definitions,
    step: applyWidget,
    before: liveWidget({ apiVersion: 'v1', ...ownedOfOther }),
    reference: response(200, { apiVersion: 'v1', metadata: { managedFields: [] } }),
    ours: response(200, { apiVersion: 'v1', ...ownedOfOther }),
    rows: undefined,
  },
  {
    name: 'a conflict about a struct in a kind with integers or strings, whose owner has it as a key',
    kind: definitions,
    step: { ...applyWidget, path: '/apis/untyped.example.com/v1/widgets/a', body: { spec: { o1: { s1: 'x' } } } },
    before: liveWidget({ spec: {} }),
    reference: conflictsOf({ '.spec.o1': 'm' }),
    ours: response(200, {}),
    rows: ['release-typed-kinds'],
  },
  {
    name: 'a conflict about a struct that is named as a value beside it, in a kind with integers or strings',
    kind: definitions,
    step: {
      ...applyWidget,
      path: '/apis/untyped.example.com/v1/widgets/a',
      body: { spec: { o1: { a1: { b: 1 }, s2: 'y' } } },
    },
    before: liveWidget({ spec: {} }),
    reference: conflictsIn([
      ['.spec.o1', 'm'],
      ['.spec.o1.s2', 'm'],
      ['.spec.o1.s2', 'm'],
    ]),
    ours: conflictsOf({ '.spec.o1.s2': 'm' }),
    rows: ['release-typed-kinds', 'repeated-causes'],
  },
  {
    name: 'a conflict that is named twice, without a struct beside it, in a kind with integers or strings',
    kind: definitions,
    step: {
      ...applyWidget,
      path: '/apis/untyped.example.com/v1/widgets/a',
      body: { spec: { o1: { i2: 1, s2: 'y' } } },
    },
    before: liveWidget({ spec: {} }),
    reference: conflictsIn([
      ['.spec.o1', 'm'],
      ['.spec.o1.s2', 'm'],
      ['.spec.o1.s2', 'm'],
    ]),
    ours: conflictsOf({ '.spec.o1.s2': 'm' }),
    rows: undefined,
  },
];

import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { ApiResponse } from '../../api-target.ts';
import { apply, type ExplainedStory, live, owned, response, type Story } from './story.ts';

const definitions = 'apiextensions/v1/customresourcedefinitions';
const applyWidget = { ...apply, path: '/v1/widgets/a', object: 'a' };

/** What both servers answered with before: an object of a random kind. */
function liveWidget(body: JsonObject): Story['before'] {
  return live(body).map((each) => ({ ...each, step: { path: '/v2/widgets/a', object: 'a' } }));
}

/** A refusal with the manager that each field conflicts with. */
function conflictsOf(managers: Readonly<Record<string, string>>): ApiResponse {
  const causes = Object.entries(managers).map(([field, manager]) => ({
    field,
    message: `conflict with "${manager}" using example.com/v1`,
    reason: 'FieldManagerConflict',
  }));
  return response(409, { kind: 'Status', status: 'Failure', code: 409, details: { causes } });
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
];

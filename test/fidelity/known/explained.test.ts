import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import type { Answer } from '../api-target.ts';
import { compareAnswers } from '../compare-answers.ts';
import type { Step } from '../sequence.ts';
import type { MetDifference } from './known-difference.ts';
import { allSubjects, type Subject } from '../subjects.ts';

function subjectOf(key: string): Subject {
  const subject = allSubjects().find((each) => each.key === key);
  assert.ok(subject, key);
  return subject;
}

function answer(status: number, body: JsonValue, warnings: readonly string[] = []): Answer {
  return { status, contentType: 'application/json', warnings, body };
}

function failure(status: number, message = '', causes: readonly string[] = []): Answer {
  const details = { causes: causes.map((field) => ({ field, reason: 'FieldManagerConflict' })) };
  return answer(status, { kind: 'Status', status: 'Failure', code: status, message, details });
}

function refusal(field: string): Answer {
  return answer(422, { details: { causes: { [`${field} FieldValueInvalid`]: 1 } } });
}

/** A refusal with causes, each a field and a message. */
function refusalWith(...texts: readonly string[]): Answer {
  const list = texts
    .map((text) => text.split(': '))
    .map(([field = '', message = '']) => ({ field, message, reason: 'x' }));
  return answer(422, { kind: 'Status', details: { causes: list } });
}

function owned(fieldsV1: JsonObject, subresource?: string): JsonObject {
  const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
  return { metadata: { managedFields: [{ ...entry, ...(subresource ? { subresource } : {}) }] } };
}

interface Story {
  readonly name: string;
  readonly kind: string;
  readonly step?: Partial<Step>;
  readonly reference: Answer;
  readonly ours: Answer;
  /** Earlier differences of the sequence. */
  readonly met?: readonly MetDifference[];
  /** What both servers answered to the steps before. */
  readonly before?: readonly Pick<Story, 'step' | 'reference' | 'ours'>[];
}

/** Rows that explain the difference of two answers; `undefined` where something is left that none explains. */
function rowsOf({ kind, step = {}, reference, ours, met = [], before = [] }: Story): readonly string[] | undefined {
  const subject = subjectOf(kind);
  const earlier = before.map((each) => ({ ...each, step: { ...get, ...each.step }, subject }));
  const { unexplained, known } = compareAnswers({ ...get, ...step }, subject, { reference, ours }, { met, earlier });
  return unexplained.length === 0 ? [...new Set(known.map(({ row }) => row))] : undefined;
}

const get: Step = { method: 'GET', path: '/' };
const apply: Partial<Step> = { method: 'PATCH', path: '/a', type: 'application/apply-patch+yaml' };
const deletion: Partial<Step> = {
  method: 'PATCH',
  path: '/a',
  type: 'application/strategic-merge-patch+json',
  body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
};
const apps = 'apps/v1/deployments';
const pods = 'core/v1/pods';

/** A refusal with what each cause says about its field. */
function refusalOf(causes: Readonly<Record<string, string>>, whole = ''): Answer {
  const list = Object.entries(causes).map(([field, message]) => ({ field, message, reason: 'FieldValueInvalid' }));
  return answer(422, { kind: 'Status', status: 'Failure', code: 422, message: whole, details: { causes: list } });
}

const explained: readonly (Story & { readonly rows: readonly string[] })[] = [
  {
    name: 'an update of an event',
    kind: 'events/v1/events',
    step: { method: 'PUT' },
    reference: answer(200, {}),
    ours: refusalOf({ reason: 'Invalid value: "a": field is immutable' }),
    rows: ['release-event-update'],
  },
  {
    name: 'networks of a node',
    kind: 'core/v1/nodes',
    reference: answer(200, { spec: { podCIDRs: ['10.0.0.0/8'] } }),
    ours: answer(200, { spec: { podCIDRs: ['10.0.0.0/8', 'fd00::/64'] } }),
    rows: ['release-node-networks'],
  },
  {
    name: 'a sub-resource that a manager wrote by',
    kind: apps,
    reference: answer(200, owned({ 'f:status': { 'f:replicas': {} } })),
    ours: answer(200, owned({ 'f:status': { 'f:replicas': {} } }, 'status')),
    rows: [],
  },
  {
    name: 'which of several objects a collection refuses',
    kind: apps,
    step: { method: 'DELETE', path: subjectOf(apps).collection },
    reference: answer(409, { kind: 'Status', details: { name: 'b' } }),
    ours: answer(409, { kind: 'Status', details: { name: 'a' } }),
    rows: ['random-refusal'],
  },
  {
    name: 'a generation that a client of a job may not choose',
    kind: 'batch/v1/jobs',
    step: { method: 'POST' },
    reference: answer(422, {
      kind: 'Status',
      details: { causes: [{ field: 'metadata.generation', reason: 'FieldValueInvalid' }] },
    }),
    ours: answer(422, { kind: 'Status', details: { causes: [] } }),
    rows: ['release-job-generation'],
  },
  {
    name: 'a mistake that is repeated',
    kind: apps,
    reference: refusalWith('spec.replicas: a', 'spec.replicas: a', 'spec.replicas: b'),
    ours: refusalWith('spec.replicas: a', 'spec.replicas: b'),
    rows: ['repeated-causes'],
  },
  {
    name: 'metadata of a budget whose spec is wrong too',
    kind: 'policy/v1/poddisruptionbudgets',
    reference: refusalWith('spec: a'),
    ours: refusalWith('metadata.name: b', 'spec: a'),
    rows: ['metadata-at-once'],
  },
  {
    name: 'owners inside a value that became atomic',
    kind: 'core/v1/services',
    reference: answer(200, owned({ 'f:spec': { 'f:selector': { '.': {}, 'f:app': {} } } })),
    ours: answer(200, owned({ 'f:spec': { 'f:selector': {} } })),
    rows: [],
  },
  {
    name: 'a status that the main path reset',
    kind: apps,
    reference: answer(200, owned({ 'f:status': { 'f:replicas': {} } })),
    ours: answer(200, { metadata: {} }),
    rows: ['release-status-reset'],
  },
  {
    name: 'an answer of 400 instead of 500',
    kind: pods,
    reference: failure(500),
    ours: failure(400),
    rows: ['malformed-500'],
  },
  {
    name: 'a HEAD that is like the GET',
    kind: pods,
    step: { method: 'HEAD' },
    reference: answer(405, { likeGet: false }),
    ours: answer(200, { likeGet: true }),
    rows: ['head'],
  },
  {
    name: 'a conflict with the owner of an atomic value',
    kind: 'rbac.authorization/v1/rolebindings',
    step: apply,
    reference: failure(409, '', ['.roleRef.name']),
    ours: failure(409, '', ['.roleRef']),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'a conflict that follows from an earlier reset of managers',
    kind: pods,
    step: apply,
    reference: answer(200, {}),
    ours: failure(409, '', ['.spec']),
    met: [{ row: 'reset-managed-fields', places: [['spec']] }],
    rows: ['reset-managed-fields'],
  },
  {
    name: 'an event of a pod without time to end',
    kind: pods,
    reference: answer(200, {
      events: {
        a: [
          { type: 'MODIFIED', object: { metadata: { deletionGracePeriodSeconds: 0 } } },
          { type: 'DELETED', object: { metadata: {} } },
        ],
      },
    }),
    ours: answer(200, { events: { a: [{ type: 'DELETED', object: { metadata: {} } }] } }),
    rows: ['immediate-deletion-events'],
  },
  {
    name: 'a list of which a patch takes items away',
    kind: pods,
    step: deletion,
    reference: answer(200, { metadata: { finalizers: ['example.com/a'] } }),
    ours: answer(200, { metadata: {} }),
    rows: ['random-directive'],
  },
  {
    name: 'who owns such a list',
    kind: apps,
    step: deletion,
    reference: answer(200, owned({ 'f:metadata': { 'f:finalizers': { '.': {} } } })),
    ours: answer(200, owned({})),
    rows: ['random-directive'],
  },
  {
    name: 'the owners of an API service',
    kind: 'apiregistration/v1/apiservices',
    reference: answer(200, { metadata: {} }),
    ours: answer(200, owned({ 'f:spec': { 'f:group': {} } })),
    rows: ['api-service-owners'],
  },
  {
    name: 'an address of every machine',
    kind: 'discovery/v1beta1/endpointslices',
    reference: answer(201, {}),
    ours: refusalOf(
      { 'endpoints[0].addresses[0]': 'Invalid value: "127.0.0.1": may not be in the loopback range' },
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range',
    ),
    rows: ['release-endpoint-addresses'],
  },
  {
    name: 'a change of a driver that is refused as a whole',
    kind: 'storage/v1/csidrivers',
    reference: refusal('spec'),
    ours: refusal('spec.podInfoOnMount'),
    rows: ['release-csi-driver-update'],
  },
  {
    name: 'a role that becomes another one',
    kind: 'rbac.authorization/v1/rolebindings',
    step: apply,
    reference: answer(200, {}),
    ours: failure(422, '', ['roleRef.name']),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'webhooks that are none',
    kind: 'admissionregistration/v1/validatingwebhookconfigurations',
    step: { method: 'PATCH', path: '/a', body: { webhooks: [] } },
    reference: answer(200, { metadata: { generation: 2 } }),
    ours: answer(200, { metadata: { generation: 1 } }),
    rows: ['empty-webhooks'],
  },
  {
    name: 'bytes as a list',
    kind: 'certificates/v1/certificatesigningrequests',
    reference: answer(201, {}),
    ours: failure(400, 'json: cannot unmarshal array into field spec.request of type bytes'),
    rows: ['byte-arrays'],
  },
  {
    name: 'the warning of a version that was deprecated later',
    kind: pods,
    reference: answer(200, {}),
    ours: answer(200, {}, ['299 - "policy/v1beta1 X is deprecated in v1.21+, unavailable in v1.25+"']),
    rows: ['release-deprecations'],
  },
];

const unexplained: readonly Story[] = [
  {
    name: 'a second mistake in a field',
    kind: apps,
    reference: refusalWith('spec.replicas: a', 'spec.replicas: b'),
    ours: refusalWith('spec.replicas: a'),
  },
  {
    name: 'another field of a patch that takes items away',
    kind: pods,
    step: deletion,
    reference: answer(200, { metadata: {} }),
    ours: answer(200, { metadata: { labels: { a: 'b' } } }),
  },
  {
    name: 'a field that another manager owns',
    kind: apps,
    reference: answer(200, owned({ 'f:spec': { 'f:replicas': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:paused': {} } })),
  },
  { name: 'a write that 500 refuses and ours takes', kind: pods, reference: failure(500), ours: answer(200, {}) },
  {
    name: 'a HEAD that is not like the GET',
    kind: pods,
    step: { method: 'HEAD' },
    reference: answer(405, { likeGet: false }),
    ours: answer(200, { likeGet: false }),
  },
  {
    name: 'a conflict that only ours has',
    kind: pods,
    step: apply,
    reference: answer(200, {}),
    ours: failure(409, '', ['.spec.replicas']),
  },
  {
    name: 'an update of an event that has another namespace',
    kind: 'events/v1/events',
    step: { method: 'PUT' },
    reference: answer(200, {}),
    ours: refusalOf({ 'involvedObject.namespace': 'Invalid value: "": does not match event.namespace' }),
  },
  {
    name: 'a node that is refused for more than its networks',
    kind: 'core/v1/nodes',
    reference: answer(200, {}),
    ours: refusalOf({ 'spec.podCIDRs': 'Forbidden: no', 'spec.providerID': 'Forbidden: no' }),
  },
  {
    name: 'an event that ours leaves out',
    kind: pods,
    reference: answer(200, { events: { a: [{ type: 'DELETED', object: { metadata: {} } }] } }),
    ours: answer(200, { events: {} }),
  },
  {
    name: 'a field that only ours has in another kind',
    kind: pods,
    reference: answer(200, {}),
    ours: answer(200, { spec: { suspend: false } }),
  },
];

describe('A difference', () => {
  for (const story of explained) {
    it(`is explained: ${story.name}`, () => assert.deepEqual(rowsOf(story), story.rows));
  }
  for (const story of unexplained) {
    it(`is reported: ${story.name}`, () => assert.equal(rowsOf(story), undefined));
  }
});

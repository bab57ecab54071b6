import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { ApiResponse } from '../api-target.ts';
import { compareResponses } from '../compare-responses.ts';
import type { SequenceStep } from '../sequence.ts';
import type { MetDifference } from './known-difference.ts';
import { allSubjects, type Subject } from '../subjects.ts';

function subjectOf(key: string): Subject {
  const subject = allSubjects().find((each) => each.key === key);
  assert.ok(subject, key);
  return subject;
}

function answer(status: number, body: JsonValue, warnings: readonly string[] = []): ApiResponse {
  return { status, contentType: 'application/json', warnings, body };
}

function failure(status: number, message = '', causes: readonly string[] = []): ApiResponse {
  const details = { causes: causes.map((field) => ({ field, reason: 'FieldManagerConflict' })) };
  return answer(status, { kind: 'Status', status: 'Failure', code: status, message, details });
}

function refusal(field: string): ApiResponse {
  return refusalOf({ [field]: 'Invalid value' });
}

/** A refusal with causes, each a field and a message. */
function refusalWith(...texts: readonly string[]): ApiResponse {
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
  readonly step?: Partial<SequenceStep>;
  readonly reference: ApiResponse;
  readonly ours: ApiResponse;
  /** Earlier differences of the sequence. */
  readonly met?: readonly MetDifference[];
  /** What both servers answered to the steps before. */
  readonly before?: readonly Pick<Story, 'step' | 'reference' | 'ours'>[];
}

/** Rows that explain the difference of two answers; `undefined` where something is left that none explains. */
function rowsOf({ kind, step = {}, reference, ours, met = [], before = [] }: Story): readonly string[] | undefined {
  const subject = subjectOf(kind);
  const earlier = before.map((each) => ({ ...each, step: { ...get, ...each.step }, subject }));
  const { unexplained, known } = compareResponses({ ...get, ...step }, subject, { reference, ours }, { met, earlier });
  return unexplained.length === 0 ? [...new Set(known.map(({ row }) => row))] : undefined;
}

const get: SequenceStep = { method: 'GET', path: '/' };
const apply: Partial<SequenceStep> = { method: 'PATCH', path: '/a', type: 'application/apply-patch+yaml' };
const deletion: Partial<SequenceStep> = {
  method: 'PATCH',
  path: '/a',
  type: 'application/strategic-merge-patch+json',
  body: { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
};
const apps = 'apps/v1/deployments';
const pods = 'core/v1/pods';
const unavailable = 'spec.updateStrategy.rollingUpdate.maxUnavailable';

/** A refusal with what each cause says about its field. */
function refusalOf(causes: Readonly<Record<string, string>>, whole = ''): ApiResponse {
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
    rows: ['empty-lists'],
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

/** An object that both servers have answered with, in the step before. */
function live(body: JsonObject, path = '/a', reference = body): Pick<Story, 'step' | 'reference' | 'ours'>[] {
  const identified = (object: JsonObject): JsonObject => {
    const { metadata } = object;
    return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), uid: 'u' } };
  };
  return [{ step: { path }, reference: answer(200, identified(reference)), ours: answer(200, identified(body)) }];
}

/** An object whose fields `m` has applied. */
function applied(fieldsV1: JsonObject): JsonObject {
  return { metadata: { managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1 }] } };
}

const byApplier: Partial<SequenceStep> = { ...apply, query: { fieldManager: 'm' } };
const probed = {
  'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:livenessProbe': { 'f:httpGet': { 'f:port': {} } } } } },
};
const labelled: JsonObject = { 'f:labels': { 'f:a': {} } };
const scalerMetrics = 'autoscaling.alpha.kubernetes.io/current-metrics';
const surge: JsonObject = { 'f:updateStrategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} } } };
const probeless: JsonObject = { spec: { containers: [{ name: 'c' }] } };
const scaled: Pick<Story, 'step' | 'reference' | 'ours'>[] = [
  { step: { method: 'PUT', path: '/a/scale' }, reference: answer(200, {}), ours: answer(200, {}) },
];
const twice: JsonObject = { metadata: { finalizers: ['example.com/a', 'example.com/a'] } };
const untyped = (why: string): ApiResponse =>
  failure(500, `failed to convert new object (v1, Kind=Pod) to smd typed: ${why}`);

/** Differences that follow from earlier steps, each beside one like it that does not. */
const withPast: readonly (Story & { readonly rows: readonly string[] | undefined })[] = [
  {
    name: 'defaults of a probe that its applier withdraws',
    kind: pods,
    step: { ...byApplier, body: probeless },
    before: live(applied(probed)),
    reference: answer(200, { spec: { containers: [{ livenessProbe: { periodSeconds: 10 } }] } }),
    ours: answer(200, { spec: { containers: [{}] } }),
    rows: ['applied-defaults'],
  },
  {
    name: 'defaults of a probe that was not applied',
    kind: pods,
    step: { ...byApplier, body: probeless },
    before: live(applied({})),
    reference: answer(200, { spec: { containers: [{ livenessProbe: { periodSeconds: 10 } }] } }),
    ours: answer(200, { spec: { containers: [{}] } }),
    rows: undefined,
  },
  {
    name: 'what is wrong with such defaults',
    kind: pods,
    step: { ...byApplier, body: probeless },
    before: live(applied(probed)),
    reference: refusal('spec.containers[0].livenessProbe'),
    ours: answer(200, {}),
    rows: ['applied-defaults'],
  },
  {
    name: 'what is wrong elsewhere',
    kind: pods,
    step: { ...byApplier, body: probeless },
    before: live(applied(probed)),
    reference: refusal('spec.containers[0].image'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'the replicas of a scale',
    kind: apps,
    before: scaled,
    reference: answer(200, owned({ 'f:spec': { 'f:replicas': {} } })),
    ours: answer(200, owned({})),
    rows: ['release-managed-subresource'],
  },
  {
    name: 'the replicas of an object that was not scaled',
    kind: apps,
    reference: answer(200, owned({ 'f:spec': { 'f:replicas': {} } })),
    ours: answer(200, owned({})),
    rows: undefined,
  },
  {
    name: 'metadata that an apply of the status takes away',
    kind: apps,
    step: { ...byApplier, path: '/a/status' },
    reference: answer(200, { metadata: {} }),
    ours: answer(200, { metadata: { finalizers: ['example.com/a'] } }),
    rows: ['release-managed-subresource'],
  },
  {
    name: 'a spec that an apply of the status takes away',
    kind: apps,
    step: { ...byApplier, path: '/a/status' },
    reference: answer(200, { spec: {} }),
    ours: answer(200, { spec: { replicas: 1 } }),
    rows: undefined,
  },
  {
    name: 'an apply to an object with doubled items',
    kind: pods,
    step: byApplier,
    before: live(twice),
    reference: untyped('.metadata.finalizers: duplicate entries for key [="example.com/a"]'),
    ours: answer(200, {}),
    rows: ['doubled-items'],
  },
  {
    name: 'owners while items are doubled',
    kind: pods,
    step: { path: '/a' },
    before: live(twice),
    reference: answer(200, owned({})),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': {} } })),
    rows: ['doubled-items'],
  },
  {
    name: 'an apply to an object with items without keys',
    kind: pods,
    step: byApplier,
    reference: untyped(
      '.spec.imagePullSecrets: element 0: associative list with keys has an element that omits key field',
    ),
    ours: answer(200, {}),
    rows: ['unkeyed-items'],
  },
  {
    name: 'owners while an item has no key',
    kind: pods,
    step: { path: '/a' },
    before: live({ spec: { imagePullSecrets: [{}] } }),
    reference: answer(200, owned({})),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': {} } })),
    rows: ['unkeyed-items'],
  },
  {
    name: 'empty bytes in an object that is immutable',
    kind: 'core/v1/configmaps',
    step: { path: '/a' },
    before: live({ binaryData: { a: '' } }),
    reference: refusal('binaryData'),
    ours: answer(200, {}),
    rows: ['empty-bytes'],
  },
  {
    name: 'bytes that are not empty',
    kind: 'core/v1/configmaps',
    step: { path: '/a' },
    before: live({ binaryData: { a: 'YQ==' } }),
    reference: refusal('binaryData'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'a conflict with who owns a map as it was when empty',
    kind: pods,
    step: byApplier,
    before: live(owned({ 'f:metadata': { 'f:labels': {} } })),
    reference: failure(409, '', ['.metadata.labels.a']),
    ours: answer(200, {}),
    rows: ['empty-map-ownership'],
  },
  {
    name: 'a conflict with who owns a list as it was when empty',
    kind: pods,
    step: byApplier,
    before: live(owned({ 'f:metadata': { 'f:finalizers': {} } })),
    reference: failure(409, '', ['.metadata.finalizers[v:"a"]']),
    ours: answer(200, {}),
    rows: ['empty-map-ownership'],
  },
  {
    name: 'a conflict with who owns another entry',
    kind: pods,
    step: byApplier,
    before: live(owned({ 'f:metadata': { 'f:labels': { 'f:b': {} } } })),
    reference: failure(409, '', ['.metadata.labels.a']),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'the generation of an object in whose spec one server keeps more',
    kind: apps,
    met: [{ row: 'applied-defaults', places: [['spec', 'paused']] }],
    reference: answer(200, { metadata: { generation: 2 } }),
    ours: answer(200, { metadata: { generation: 3 } }),
    rows: ['applied-defaults'],
  },
  {
    name: 'a JSON patch of what one server alone has',
    kind: pods,
    step: { method: 'PATCH', type: 'application/json-patch+json', body: [{ op: 'remove', path: '/spec/affinity' }] },
    met: [{ row: 'applied-defaults', places: [['spec', 'affinity']] }],
    reference: answer(200, {}),
    ours: failure(422),
    rows: ['applied-defaults'],
  },
  {
    name: 'what a collection refused in part still has',
    kind: pods,
    before: [
      { step: { method: 'DELETE', path: subjectOf(pods).collection }, reference: failure(409), ours: failure(409) },
    ],
    reference: answer(200, { items: [{ metadata: { name: 'a' } }] }),
    ours: answer(200, { items: [] }),
    rows: ['random-refusal'],
  },
  {
    name: 'a part of an atomic value in an event, where an apply of it differed',
    kind: 'events/v1beta1/events',
    met: [{ row: 'release-atomic-structs', places: [['related', 'kind']] }],
    reference: answer(200, { events: { a: [{ object: { related: { kind: 'Pod' } } }] } }),
    ours: answer(200, { events: { a: [{ object: { related: {} } }] } }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'a part of another value in an event',
    kind: 'events/v1beta1/events',
    met: [{ row: 'release-atomic-structs', places: [['related', 'kind']] }],
    reference: answer(200, { events: { a: [{ object: { reason: 'a' } }] } }),
    ours: answer(200, { events: { a: [{ object: {} }] } }),
    rows: undefined,
  },
  {
    name: 'an apply of what the controllers of definitions have written',
    kind: 'apiextensions/v1/customresourcedefinitions',
    step: { ...byApplier, path: '/a/status' },
    reference: failure(409, '', ['.status.acceptedNames.kind']),
    ours: answer(200, {}),
    rows: ['custom-resources'],
  },
  {
    name: 'a version that the reference did not say when it deleted a Service',
    kind: 'core/v1/services',
    step: { method: 'DELETE', path: '/a', body: { preconditions: { resourceVersion: '{{rv}}' } } },
    met: [{ row: 'release-service-delete', places: [['kind']] }],
    reference: failure(409, 'the ResourceVersion in the precondition (1) does not match'),
    ours: answer(200, {}),
    rows: ['release-service-delete'],
  },
  {
    name: 'a write of that version',
    kind: 'core/v1/services',
    step: { method: 'PATCH', path: '/a', body: { metadata: { resourceVersion: '{{rv}}' } } },
    met: [{ row: 'release-service-delete', places: [['kind']] }],
    reference: failure(409, 'the object has been modified; please apply your changes to the latest version'),
    ours: answer(200, {}),
    rows: ['release-service-delete'],
  },
  {
    name: 'a write of another version',
    kind: 'core/v1/services',
    step: { method: 'PATCH', path: '/a', body: { metadata: { resourceVersion: '1' } } },
    met: [{ row: 'release-service-delete', places: [['kind']] }],
    reference: failure(409, 'the object has been modified; please apply your changes to the latest version'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'the generation of a definition that is being deleted',
    kind: 'apiextensions/v1/customresourcedefinitions',
    before: [{ step: { method: 'DELETE', path: '/a' }, reference: answer(200, {}), ours: answer(200, {}) }],
    reference: answer(200, { metadata: { generation: 1 } }),
    ours: answer(200, { metadata: { generation: 2, deletionGracePeriodSeconds: 0 } }),
    rows: ['custom-resources'],
  },
  {
    name: 'the generation of a definition',
    kind: 'apiextensions/v1/customresourcedefinitions',
    reference: answer(200, { metadata: { generation: 1 } }),
    ours: answer(200, { metadata: { generation: 2 } }),
    rows: undefined,
  },
  {
    name: 'a definition that was deleted at once',
    kind: 'apiextensions/v1/customresourcedefinitions',
    before: [{ step: { method: 'DELETE' }, reference: answer(200, {}), ours: answer(200, {}) }],
    reference: answer(200, {}),
    ours: failure(404),
    rows: ['custom-resources'],
  },
  {
    name: 'a definition whose status the reference wrote in between',
    kind: 'apiextensions/v1/customresourcedefinitions',
    step: { method: 'PUT', edits: [{ path: ['spec'] }] },
    reference: failure(409, 'the object has been modified; please apply your changes'),
    ours: refusal('spec.group'),
    rows: ['custom-resources'],
  },
  {
    name: 'a conflict of a definition that was not read',
    kind: 'apiextensions/v1/customresourcedefinitions',
    step: { method: 'PUT', body: {} },
    reference: failure(409, 'the object has been modified; please apply your changes'),
    ours: refusal('spec.group'),
    rows: undefined,
  },
  {
    name: 'a rollout of daemons that makes no progress',
    kind: 'apps/v1/daemonsets',
    step: { method: 'POST' },
    reference: refusalOf({ [unavailable]: 'Invalid value: 0: cannot be 0' }),
    ours: answer(422, {
      kind: 'Status',
      status: 'Failure',
      code: 422,
      details: { causes: [{ field: unavailable, reason: 'FieldValueRequired', message: 'Required value: x' }] },
    }),
    rows: ['release-daemon-set-surge'],
  },
  {
    name: 'a rollout of daemons that is wrong otherwise',
    kind: 'apps/v1/daemonsets',
    step: { method: 'POST' },
    reference: refusalOf({ [unavailable]: 'Invalid value: -1: must be greater than or equal to 0' }),
    ours: refusalOf({}),
    rows: undefined,
  },
  {
    name: 'pods that the time of another has left',
    kind: pods,
    step: { query: { limit: '1' } },
    before: [
      {
        step: { method: 'DELETE', path: subjectOf(pods).collection },
        reference: answer(200, { items: [{}, {}] }),
        ours: answer(200, { items: [{}, {}] }),
      },
    ],
    reference: answer(200, { metadata: {}, items: [] }),
    ours: answer(200, { metadata: { remainingItemCount: 1 }, items: [] }),
    rows: ['collection-delete-options'],
  },
  {
    name: 'how many objects a refused DELETE of a collection has left',
    kind: pods,
    step: { method: 'DELETE', query: { limit: '1' } },
    before: [
      {
        step: { method: 'DELETE', path: subjectOf(pods).collection },
        reference: failure(409),
        ours: failure(409),
      },
    ],
    reference: answer(200, { metadata: { remainingItemCount: 1 }, items: [] }),
    ours: answer(200, { metadata: { remainingItemCount: 2 }, items: [] }),
    rows: ['random-refusal'],
  },
  {
    name: 'a pod after the DELETE of it alone',
    kind: pods,
    step: { query: { limit: '1' } },
    before: [
      {
        step: { method: 'DELETE', path: subjectOf(pods).collection },
        reference: answer(200, { items: [{}] }),
        ours: answer(200, { items: [{}] }),
      },
    ],
    reference: answer(200, { metadata: {}, items: [] }),
    ours: answer(200, { metadata: { remainingItemCount: 1 }, items: [] }),
    rows: undefined,
  },
  {
    name: 'a DELETE after an apply of the status took the finalizers off',
    kind: apps,
    step: { method: 'DELETE', path: '/a' },
    met: [{ row: 'release-managed-subresource', places: [['metadata', 'finalizers']] }],
    reference: answer(200, { kind: 'Status' }),
    ours: answer(200, { kind: 'Deployment' }),
    rows: ['release-managed-subresource'],
  },
  {
    name: 'a DELETE after an apply of the status took labels off',
    kind: apps,
    step: { method: 'DELETE', path: '/a' },
    met: [{ row: 'release-managed-subresource', places: [['metadata', 'labels']] }],
    reference: answer(200, { kind: 'Status' }),
    ours: answer(200, { kind: 'Deployment' }),
    rows: undefined,
  },
  {
    name: 'a copy of an item that the reference has lost in part',
    kind: 'core/v1/serviceaccounts',
    step: {
      method: 'PATCH',
      path: '/a',
      type: 'application/json-patch+json',
      body: [{ op: 'copy', from: '/secrets/0', path: '/secrets/-' }],
    },
    met: [{ row: 'release-atomic-structs', places: [['secrets', 'name']] }],
    reference: failure(422),
    ours: answer(200, {}),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'the average of the metric of an object, which has no value',
    kind: 'autoscaling/v2beta1/horizontalpodautoscalers',
    step: { method: 'POST' },
    reference: refusalOf({ 'spec.metrics[1].object.target.value': 'Invalid value: "0": must be positive' }),
    ours: answer(201, {}),
    rows: ['object-metric-average'],
  },
  {
    name: 'the value of the metric of an object in the storage version of the reference',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    reference: answer(200, { spec: { metrics: [{ object: { target: { averageValue: '1', value: '0' } } }] } }),
    ours: answer(200, { spec: { metrics: [{ object: { target: { averageValue: '1' } } }] } }),
    rows: ['object-metric-average'],
  },
  {
    name: 'a value of the metric of an object that is lost',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    reference: answer(200, { spec: { metrics: [{ object: { target: { averageValue: '1', value: '2' } } }] } }),
    ours: answer(200, { spec: { metrics: [{ object: { target: { averageValue: '1' } } }] } }),
    rows: undefined,
  },
  {
    name: 'a new autoscaler whose value is none',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    step: { method: 'POST' },
    reference: refusalOf({ 'spec.metrics[1].object.target.value': 'Invalid value: "0": must be positive' }),
    ours: answer(201, {}),
    rows: undefined,
  },
  {
    name: 'an immutable driver that an apply takes an empty part from',
    kind: 'storage/v1/csinodes',
    step: { ...apply, body: { spec: { drivers: [{ name: 'b' }] } } },
    met: [{ row: 'release-applied-empties', places: [['spec', 'drivers', 'allocatable']], isOwner: true }],
    reference: answer(200, {}),
    ours: refusal('CSINodeDriver'),
    rows: ['release-applied-empties'],
  },
  {
    name: 'an immutable driver that changes',
    kind: 'storage/v1/csinodes',
    step: { ...apply, body: { spec: { drivers: [{ name: 'b' }] } } },
    reference: answer(200, {}),
    ours: refusal('CSINodeDriver'),
    rows: undefined,
  },
  {
    name: 'an apply of a condition without a type, again',
    kind: 'batch/v1/jobs',
    step: { ...apply, path: '/a/status', body: { status: { conditions: [{}] } } },
    reference: answer(200, { status: {} }),
    ours: answer(200, { status: { conditions: [{ type: '' }] } }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'an apply of a condition that is lost',
    kind: 'batch/v1/jobs',
    step: { ...apply, path: '/a/status', body: { status: { conditions: [{ type: 'a' }] } } },
    reference: answer(200, { status: {} }),
    ours: answer(200, { status: { conditions: [{ type: 'a' }] } }),
    rows: undefined,
  },
  {
    name: 'a behavior that a dry run removes',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    step: { method: 'PUT', query: { dryRun: 'All' } },
    reference: answer(200, { spec: { behavior: {} } }),
    ours: answer(200, { spec: {} }),
    rows: ['dry-run-leftovers'],
  },
  {
    name: 'a behavior that an update removes',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    step: { method: 'PUT' },
    reference: answer(200, { spec: { behavior: {} } }),
    ours: answer(200, { spec: {} }),
    rows: undefined,
  },
  {
    name: 'who owns the map of the labels of a Namespace',
    kind: 'core/v1/namespaces',
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { '.': {}, 'f:b': {} } } })),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': { 'f:b': {} } } })),
    rows: ['release-namespace-label'],
  },
  {
    name: 'who owns the map of the labels of another object',
    kind: 'core/v1/nodes',
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { '.': {}, 'f:b': {} } } })),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': { 'f:b': {} } } })),
    rows: undefined,
  },
  {
    name: 'a Pod that takes the place of one with a negative grace period',
    kind: pods,
    step: { method: 'POST' },
    met: [{ row: 'release-negative-grace', places: [['metadata', 'deletionGracePeriodSeconds']] }],
    reference: answer(201, {}),
    ours: failure(409, 'object is being deleted'),
    rows: ['release-negative-grace'],
  },
  {
    name: 'a Pod that takes the place of another',
    kind: pods,
    step: { method: 'POST' },
    reference: answer(201, {}),
    ours: failure(409, 'object is being deleted'),
    rows: undefined,
  },
  {
    name: 'the availability of a server behind an API service',
    kind: 'apiregistration/v1/apiservices',
    reference: answer(200, { spec: { service: {} }, status: { conditions: [{ type: 'Available' }] } }),
    ours: answer(200, { spec: { service: {} }, status: {} }),
    rows: ['aggregated-servers'],
  },
  {
    name: 'the availability of an API service of the server itself',
    kind: 'apiregistration/v1/apiservices',
    reference: answer(200, { spec: {}, status: { conditions: [{ type: 'Available' }] } }),
    ours: answer(200, { spec: {}, status: {} }),
    rows: undefined,
  },
  {
    name: 'the finalizers of a Namespace that is being deleted',
    kind: 'core/v1/namespaces',
    step: { method: 'DELETE', path: '/a' },
    reference: answer(200, { metadata: { deletionTimestamp: 'x', finalizers: ['foregroundDeletion', 'a.com/b'] } }),
    ours: answer(200, { metadata: { deletionTimestamp: 'x', finalizers: ['a.com/b', 'foregroundDeletion'] } }),
    rows: [],
  },
  {
    name: 'the finalizers of a Namespace that is not being deleted',
    kind: 'core/v1/namespaces',
    step: { method: 'PUT', path: '/a' },
    reference: answer(200, { metadata: { finalizers: ['b.com/b', 'a.com/b'] } }),
    ours: answer(200, { metadata: { finalizers: ['a.com/b', 'b.com/b'] } }),
    rows: undefined,
  },
  {
    name: 'owners of the parameters of a class for their scope',
    kind: 'networking/v1/ingressclasses',
    reference: answer(200, owned({ 'f:spec': { 'f:controller': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:controller': {}, 'f:parameters': { '.': {}, 'f:scope': {} } } })),
    rows: ['release-ingress-class-scope'],
  },
  {
    name: 'an event of an apply of a part of an owner',
    kind: 'core/v1/configmaps',
    met: [{ row: 'release-atomic-structs', places: [['metadata', 'ownerReferences', 'controller']] }],
    reference: answer(200, { events: { a: [{ type: 'ADDED', object: {} }] } }),
    ours: answer(200, {
      events: {
        a: [
          { type: 'ADDED', object: {} },
          { type: 'MODIFIED', object: { data: {} } },
        ],
      },
    }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'an event where only the owners of an atomic value were others',
    kind: 'core/v1/configmaps',
    met: [{ row: 'release-atomic-structs', places: [['metadata', 'ownerReferences']], isOwner: true }],
    reference: answer(200, { events: { a: [{ type: 'ADDED', object: {} }] } }),
    ours: answer(200, {
      events: {
        a: [
          { type: 'ADDED', object: {} },
          { type: 'MODIFIED', object: { data: {} } },
        ],
      },
    }),
    rows: undefined,
  },
  {
    name: 'conflicts of which the reference names one twice and omits another',
    kind: 'storage/v1/csinodes',
    step: apply,
    reference: failure(409, 'Apply failed with 4 conflicts:\n- .a\n- .a\nb:\n- .a\n- .a', ['.a', '.a', '.a', '.a']),
    ours: failure(409, 'Apply failed with 2 conflicts:\n- .a\n- .b', ['.a', '.b']),
    rows: ['repeated-causes', 'conflict-paths'],
  },
  {
    name: 'conflicts of which the reference names more',
    kind: 'storage/v1/csinodes',
    step: apply,
    reference: failure(409, 'Apply failed with 2 conflicts:\n- .a\n- .b', ['.a', '.b']),
    ours: failure(409, 'Apply failed with 1 conflict:\n- .a', ['.a']),
    rows: undefined,
  },
  {
    name: 'a list with a directive that another list must not overlap',
    kind: 'policy/v1beta1/podsecuritypolicies',
    step: {
      ...deletion,
      body: { spec: { requiredDropCapabilities: ['x'], '$deleteFromPrimitiveList/requiredDropCapabilities': [] } },
    },
    reference: refusalOf({}),
    ours: refusalOf({ defaultAdd: 'Invalid value: "x": listed in defaultAdd and requiredDropCapabilities' }),
    rows: ['random-directive'],
  },
  {
    name: 'a list with a directive whose field an error begins with a capital',
    kind: 'core/v1/services',
    step: { ...deletion, body: { spec: { ranges: ['x'], '$deleteFromPrimitiveList/ranges': ['zz'] } } },
    reference: refusalOf({ 'spec.Ranges': 'Invalid value: "zz"' }),
    ours: refusalOf({}),
    rows: ['random-directive'],
  },
  {
    name: 'a list without a directive that another list must not overlap',
    kind: 'policy/v1beta1/podsecuritypolicies',
    step: { ...deletion, body: { spec: { requiredDropCapabilities: ['x'] } } },
    reference: refusalOf({}),
    ours: refusalOf({ defaultAdd: 'Invalid value: "x": listed in defaultAdd and requiredDropCapabilities' }),
    rows: undefined,
  },
  {
    name: 'an apply of a definition that the reference still deletes',
    kind: 'apiextensions/v1/customresourcedefinitions',
    step: apply,
    before: [{ step: { method: 'DELETE' }, reference: answer(200, {}), ours: answer(200, {}) }],
    reference: refusalOf({}),
    ours: refusal('spec.group'),
    rows: ['custom-resources'],
  },
  {
    name: 'an apply of a definition that only the reference accepts',
    kind: 'apiextensions/v1/customresourcedefinitions',
    step: apply,
    reference: refusalOf({}),
    ours: refusal('spec.group'),
    rows: undefined,
  },
  {
    name: 'an empty map in a policy',
    kind: 'networking/v1/networkpolicies',
    step: { method: 'PATCH', body: { spec: { podSelector: { matchLabels: {} } } } },
    reference: answer(200, { metadata: { generation: 2 } }),
    ours: answer(200, { metadata: { generation: 1 } }),
    rows: ['empty-lists'],
  },
  {
    name: 'a manager who owned the map of the labels of a Namespace alone',
    kind: 'core/v1/namespaces',
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { '.': {} } } })),
    ours: answer(200, { metadata: { managedFields: [] } }),
    rows: ['release-namespace-label'],
  },
  {
    name: 'a manager of a label of a Namespace',
    kind: 'core/v1/namespaces',
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })),
    ours: answer(200, { metadata: { managedFields: [] } }),
    rows: undefined,
  },
  {
    name: 'a definition that is not there',
    kind: 'apiextensions/v1/customresourcedefinitions',
    reference: answer(200, {}),
    ours: failure(404),
    rows: undefined,
  },
  {
    name: 'the status of a definition',
    kind: 'apiextensions/v1/customresourcedefinitions',
    reference: answer(200, { status: { conditions: [] } }),
    ours: answer(200, { status: {} }),
    rows: ['custom-resources'],
  },
  {
    name: 'an event of what only raises the generation of a policy',
    kind: 'networking/v1/networkpolicies',
    reference: answer(200, {
      events: {
        a: [
          { type: 'ADDED', object: { metadata: { generation: 1 } } },
          { type: 'MODIFIED', object: { metadata: { generation: 2 } } },
        ],
      },
    }),
    ours: answer(200, { events: { a: [{ type: 'ADDED', object: { metadata: { generation: 1 } } }] } }),
    rows: [],
  },
  {
    name: 'an event of what changes the labels of a policy',
    kind: 'networking/v1/networkpolicies',
    reference: answer(200, {
      events: {
        a: [
          { type: 'ADDED', object: { metadata: {} } },
          { type: 'MODIFIED', object: { metadata: { labels: { a: 'b' } } } },
        ],
      },
    }),
    ours: answer(200, { events: { a: [{ type: 'ADDED', object: { metadata: {} } }] } }),
    rows: undefined,
  },
  {
    name: 'ports of a load balancer',
    kind: 'core/v1/services',
    step: { method: 'PATCH', path: '/a/status' },
    reference: answer(200, {}),
    ours: refusal('status.loadBalancer.ingress[0].ports[0].port'),
    rows: ['load-balancer-ports'],
  },
  {
    name: 'a label that a JSON patch copies into a Namespace without labels',
    kind: 'core/v1/namespaces',
    step: {
      method: 'PATCH',
      path: '/a',
      type: 'application/json-patch+json',
      body: [{ op: 'copy', from: '/spec', path: '/metadata/labels/a' }],
    },
    reference: answer(422, { kind: 'Status', details: {} }),
    ours: answer(422, { kind: 'Status', details: { causes: [{ field: 'patch', reason: 'FieldValueInvalid' }] } }),
    rows: ['release-namespace-label'],
  },
  {
    name: 'what a service of a webhook lacks',
    kind: 'admissionregistration/v1/mutatingwebhookconfigurations',
    reference: answer(422, {
      details: { causes: [{ field: 'webhooks[0].clientConfig.service.name', reason: 'FieldValueRequired' }] },
    }),
    ours: answer(422, {
      details: { causes: [{ field: 'webhooks[0].clientConfig.service.namespace', reason: 'FieldValueRequired' }] },
    }),
    rows: ['swapped-service'],
  },
  {
    name: 'annotations of metadata alone in which a version keeps a field',
    kind: 'apps/v1/daemonsets',
    step: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    reference: answer(200, { metadata: {} }),
    ours: answer(200, { metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } } }),
    rows: ['metadata-of-version'],
  },
  {
    name: 'the size of annotations with that one',
    kind: 'apps/v1/daemonsets',
    reference: answer(201, {}),
    ours: answer(422, { details: { causes: [{ field: 'metadata.annotations', reason: 'FieldValueTooLong' }] } }),
    rows: ['metadata-of-version'],
  },
  {
    name: 'other annotations of metadata alone',
    kind: 'apps/v1/daemonsets',
    step: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    reference: answer(200, { metadata: {} }),
    ours: answer(200, { metadata: { annotations: { a: '1' } } }),
    rows: undefined,
  },
  {
    name: 'paths behind a wildcard host',
    kind: 'networking/v1/ingresses',
    step: { method: 'POST', path: '/b', body: { spec: { rules: [{ host: '*.example.com' }] } } },
    reference: answer(201, {}),
    ours: refusal('spec.rules[0].http.paths[0].backend'),
    rows: ['release-wildcard-hosts'],
  },
  {
    name: 'paths behind another host',
    kind: 'networking/v1/ingresses',
    step: { method: 'POST', path: '/b', body: { spec: { rules: [{ host: 'example.com' }] } } },
    reference: answer(201, {}),
    ours: refusal('spec.rules[0].http.paths[0].backend'),
    rows: undefined,
  },
  {
    name: 'a strategic merge patch of data without a schema',
    kind: 'apps/v1/controllerrevisions',
    step: { method: 'PATCH', path: '/a', type: 'application/strategic-merge-patch+json' },
    reference: failure(500, 'unable to find api field in struct RawExtension for the json field "b"'),
    ours: answer(200, {}),
    rows: ['patch-any-data'],
  },
  {
    name: 'a port without a protocol',
    kind: 'core/v1/services',
    step: apply,
    reference: failure(500, '.spec.ports: element 0: ... omits key field "protocol" (and doesn\'t have default value)'),
    ours: answer(201, {}),
    rows: ['release-port-protocol'],
  },
  {
    name: 'external traffic of a Service that is wrong elsewhere, too',
    kind: 'core/v1/services',
    step: apply,
    reference: refusalOf({ 'spec.ports': '' }),
    ours: refusalOf({ 'spec.ports': '', 'spec.externalTrafficPolicy': '' }),
    rows: ['release-service-traffic'],
  },
  {
    name: 'a directive that merges as a patch does',
    kind: pods,
    step: { method: 'PATCH', path: '/a', type: 'application/strategic-merge-patch+json' },
    reference: failure(500, 'unknown patch type: merge'),
    ours: answer(200, {}),
    rows: ['merge-directive'],
  },
  {
    name: 'a conflict with all that was there when an object without managers was applied',
    kind: pods,
    step: apply,
    reference: failure(409, 'conflict with "before-first-apply" using v1: .spec.priority', ['.spec.priority']),
    ours: answer(200, {}),
    met: [{ row: 'reset-managed-fields', places: [['spec']] }],
    rows: ['reset-managed-fields'],
  },
  {
    name: 'a conflict with another manager after a reset',
    kind: pods,
    step: apply,
    reference: failure(409, 'conflict with "m" using v1: .spec.priority', ['.spec.priority']),
    ours: answer(200, {}),
    met: [{ row: 'reset-managed-fields', places: [['spec']] }],
    rows: undefined,
  },
  {
    name: 'an owner after a reset',
    kind: pods,
    reference: answer(200, { metadata: {} }),
    ours: answer(200, owned({ 'f:spec': {} })),
    met: [{ row: 'reset-managed-fields', places: [['metadata', 'labels']] }],
    rows: ['reset-managed-fields'],
  },
  {
    name: 'another owner after a reset, where the reference has owners again',
    kind: pods,
    reference: answer(200, owned({ 'f:metadata': {} })),
    ours: answer(200, owned({ 'f:metadata': {}, 'f:spec': {} })),
    met: [{ row: 'reset-managed-fields', places: [['metadata', 'labels']] }],
    rows: undefined,
  },
  {
    name: 'the owner of an empty struct that was applied',
    kind: pods,
    step: { ...apply, body: { spec: { securityContext: {} } } },
    reference: answer(200, owned({ 'f:metadata': {} })),
    ours: answer(200, owned({ 'f:metadata': {}, 'f:spec': { 'f:securityContext': {} } })),
    rows: ['release-applied-empties'],
  },
  {
    name: 'the owner of another field of the same apply',
    kind: pods,
    step: { ...apply, body: { spec: { securityContext: {}, hostname: 'a' } } },
    reference: answer(200, owned({ 'f:metadata': {} })),
    ours: answer(200, owned({ 'f:metadata': {}, 'f:spec': { 'f:hostname': {} } })),
    rows: undefined,
  },
  {
    name: 'the owner of a field that was not reset, after one that was',
    kind: pods,
    met: [{ row: 'release-status-reset', places: [['status', 'phase']], isOwner: true }],
    reference: answer(200, owned({ 'f:metadata': {} })),
    ours: answer(200, owned({ 'f:metadata': {}, 'f:spec': { 'f:hostname': {} } })),
    rows: undefined,
  },
  {
    name: 'the parameters of a class whose scope has an owner',
    kind: 'networking/v1/ingressclasses',
    reference: answer(200, owned({ 'f:spec': { 'f:controller': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:controller': {}, 'f:parameters': { '.': {}, 'f:scope': {} } } })),
    rows: ['release-ingress-class-scope'],
  },
  {
    name: 'the parameters of a class alone',
    kind: 'networking/v1/ingressclasses',
    reference: answer(200, owned({ 'f:spec': { 'f:controller': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:controller': {}, 'f:parameters': { '.': {} } } })),
    rows: undefined,
  },
  {
    name: 'a patch of a list that has an item without a key',
    kind: 'core/v1/serviceaccounts',
    step: { ...deletion, body: { secrets: [{ name: 'b' }] } },
    before: [
      {
        step: { method: 'PATCH', path: '/a' },
        reference: answer(200, { metadata: { uid: 'u' }, secrets: [{}] }),
        ours: answer(200, { metadata: { uid: 'u' }, secrets: [{}] }),
      },
    ],
    reference: failure(500, 'map: map[] does not contain declared merge key: name'),
    ours: answer(200, {}),
    rows: ['unkeyed-items'],
  },
  {
    name: 'the labels of a Namespace that had none',
    kind: 'core/v1/namespaces',
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } })),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })),
    rows: ['release-namespace-label'],
  },
  {
    name: 'the labels of a Pod that had none',
    kind: pods,
    reference: answer(200, owned({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } })),
    ours: answer(200, owned({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })),
    rows: undefined,
  },
  {
    name: 'a patch of a list whose items have keys',
    kind: 'core/v1/serviceaccounts',
    step: { ...deletion, body: { secrets: [{ name: 'b' }] } },
    reference: failure(500, 'map: map[] does not contain declared merge key: name'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'an empty atomic map that is applied',
    kind: 'core/v1/services',
    step: { ...apply, body: { spec: { selector: {} } } },
    reference: answer(200, { spec: { selector: { app: 'x' } } }),
    ours: answer(200, { spec: {} }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'an empty map that is applied and is not atomic',
    kind: 'core/v1/services',
    step: { ...apply, body: { metadata: { labels: {} } } },
    reference: answer(200, { metadata: { labels: { app: 'x' } } }),
    ours: answer(200, { metadata: {} }),
    rows: undefined,
  },
  {
    name: 'a conflict with who wrote a field that the status does not set, in an apply that is invalid, too',
    kind: 'core/v1/nodes',
    step: apply,
    met: [{ row: 'release-status-reset', places: [['spec', 'configSource']], isOwner: true }],
    reference: failure(409, 'conflict with "m1" using v1: .spec.configSource', ['.spec.configSource']),
    ours: refusal('spec.podCIDRs'),
    rows: ['release-status-reset'],
  },
  {
    name: 'a conflict with who wrote another field',
    kind: 'core/v1/nodes',
    step: apply,
    met: [{ row: 'release-status-reset', places: [['spec', 'configSource']], isOwner: true }],
    reference: failure(409, 'conflict with "m1" using v1: .spec.taints', ['.spec.taints']),
    ours: refusal('spec.podCIDRs'),
    rows: undefined,
  },
  {
    name: 'an apply of a map in place of a time that conflicts',
    kind: pods,
    step: apply,
    reference: failure(409, '', ['.spec.priority']),
    ours: failure(500, '.metadata.deletionTimestamp: expected any scalar, got &{map[]}'),
    rows: ['release-applied-scalars'],
  },
  {
    name: 'an apply of a map in place of a number that conflicts',
    kind: pods,
    step: apply,
    reference: failure(409, '', ['.spec.priority']),
    ours: failure(500, '.spec.priority: expected numeric (int or float), got &{map[]}'),
    rows: undefined,
  },
  {
    name: 'a default backend that a dry run removes',
    kind: 'networking/v1/ingresses',
    step: { method: 'PUT', query: { dryRun: 'All' } },
    reference: answer(200, { spec: { defaultBackend: {} } }),
    ours: answer(200, { spec: {} }),
    rows: ['dry-run-leftovers'],
  },
  {
    name: 'a behavior in a dry run of another kind',
    kind: 'networking/v1/ingresses',
    step: { method: 'PUT', query: { dryRun: 'All' } },
    reference: answer(200, { spec: { behavior: {} } }),
    ours: answer(200, { spec: {} }),
    rows: undefined,
  },
  {
    name: 'the labels of a Job that an update removes',
    kind: 'batch/v1/jobs',
    step: { method: 'PUT' },
    reference: answer(200, { metadata: { deletionTimestamp: 't' } }),
    ours: answer(200, { metadata: { deletionTimestamp: 't', labels: { a: 'b' } } }),
    rows: ['last-finalizer'],
  },
  {
    name: 'the labels of a Job that stays',
    kind: 'batch/v1/jobs',
    step: { method: 'PUT' },
    reference: answer(200, { metadata: { deletionTimestamp: 't', finalizers: ['a'] } }),
    ours: answer(200, { metadata: { deletionTimestamp: 't', finalizers: ['a'], labels: { a: 'b' } } }),
    rows: undefined,
  },
  {
    name: 'the default of a metric of an autoscaler that an update removes',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    step: { method: 'PUT', path: '/a/status' },
    reference: answer(200, { metadata: { deletionTimestamp: 't' }, status: { currentMetrics: [{}] } }),
    ours: answer(200, { metadata: { deletionTimestamp: 't' }, status: { currentMetrics: [{ pods: {} }] } }),
    rows: ['last-finalizer'],
  },
  {
    name: 'an order of nothing for a list that does not exist',
    kind: 'core/v1/serviceaccounts',
    step: { method: 'PATCH', path: '/a', type: 'application/strategic-merge-patch+json' },
    reference: failure(500, 'no elements in any of the given slices'),
    ours: answer(200, {}),
    rows: ['empty-order'],
  },
  {
    name: 'an order for a list that is null',
    kind: 'storage/v1/csinodes',
    step: { method: 'PATCH', path: '/a', type: 'application/strategic-merge-patch+json' },
    reference: failure(500, 'expected a []interface {}, but received a %!s(<nil>)'),
    ours: answer(200, {}),
    rows: ['empty-order'],
  },
  {
    name: 'who owns a map that became atomic after another changed it',
    kind: 'core/v1/replicationcontrollers',
    step: { method: 'PUT', path: '/a' },
    reference: answer(200, owned({ 'f:spec': { 'f:selector': { '.': {} } } })),
    ours: answer(200, owned({ 'f:spec': {} })),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'an empty CA bundle',
    kind: 'admissionregistration/v1/validatingwebhookconfigurations',
    step: { method: 'PATCH', path: '/a', body: [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: '' }] },
    reference: answer(200, { metadata: { generation: 2 } }),
    ours: answer(200, { metadata: { generation: 1 } }),
    rows: ['empty-lists'],
  },
  {
    name: 'a conflict on an empty map where there is none',
    kind: 'certificates/v1beta1/certificatesigningrequests',
    step: { ...apply, body: { spec: { extra: {} } } },
    before: live({ metadata: { uid: 'u' }, spec: {} }),
    reference: failure(409, 'Apply failed with 1 conflict', ['.spec.extra']),
    ours: answer(200, {}),
    rows: ['empty-lists'],
  },
  {
    name: 'a conflict on an empty map where there is one',
    kind: 'certificates/v1beta1/certificatesigningrequests',
    step: { ...apply, body: { spec: { extra: {} } } },
    before: live({ metadata: { uid: 'u' }, spec: { extra: { a: [] } } }),
    reference: failure(409, 'Apply failed with 1 conflict', ['.spec.extra']),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'who owns no conditions of an autoscaler',
    kind: 'autoscaling/v2beta1/horizontalpodautoscalers',
    step: { method: 'PATCH', path: '/a/status', body: { status: { conditions: [] } } },
    reference: answer(200, owned({ 'f:status': { 'f:conditions': {}, 'f:currentReplicas': {} } })),
    ours: answer(200, owned({ 'f:status': { 'f:currentReplicas': {} } })),
    rows: ['empty-lists'],
  },
  {
    name: 'who owns some conditions of an autoscaler',
    kind: 'autoscaling/v2beta1/horizontalpodautoscalers',
    step: { method: 'PATCH', path: '/a/status', body: { status: { conditions: [{ type: 'a' }] } } },
    reference: answer(200, owned({ 'f:status': { 'f:conditions': {}, 'f:currentReplicas': {} } })),
    ours: answer(200, owned({ 'f:status': { 'f:currentReplicas': {} } })),
    rows: undefined,
  },
  {
    name: 'who owns an annotation of an autoscaler that is part of its status',
    kind: 'autoscaling/v1/horizontalpodautoscalers',
    step: { method: 'POST' },
    reference: answer(201, owned({ 'f:metadata': { 'f:annotations': { [`f:${scalerMetrics}`]: {} }, ...labelled } })),
    ours: answer(201, owned({ 'f:metadata': labelled })),
    rows: ['release-status-reset'],
  },
  {
    name: 'who owns another annotation of an autoscaler',
    kind: 'autoscaling/v1/horizontalpodautoscalers',
    step: { method: 'POST' },
    reference: answer(201, owned({ 'f:metadata': { 'f:annotations': { 'f:a': {} }, ...labelled } })),
    ours: answer(201, owned({ 'f:metadata': labelled })),
    rows: undefined,
  },
  {
    name: 'who owns the struct that the surge is in',
    kind: 'apps/v1/daemonsets',
    reference: answer(200, owned({ 'f:spec': { 'f:paused': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:paused': {}, ...surge } })),
    rows: ['release-daemon-set-surge'],
  },
  {
    name: 'who owns the struct of a rollout alone',
    kind: 'apps/v1/daemonsets',
    reference: answer(200, owned({ 'f:spec': { 'f:paused': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:paused': {}, 'f:rollingUpdate': { '.': {} } } })),
    rows: undefined,
  },
  {
    name: 'a text under a key whose empty bytes have stayed',
    kind: 'core/v1/configmaps',
    step: { ...apply, body: { data: { a: 'b' } } },
    before: live({ data: {} }, '/a', { binaryData: { a: '' } }),
    reference: refusalOf({ 'data[a]': 'Invalid value: "a": duplicate of key present in binaryData' }),
    ours: answer(200, {}),
    rows: ['empty-bytes'],
  },
  {
    name: 'a text under an invalid key',
    kind: 'core/v1/configmaps',
    step: { ...apply, body: { data: { a: 'b' } } },
    reference: refusalOf({ 'data[a]': 'Invalid value: "a": a valid config key must be other' }),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'an edit that leaves no bytes in an immutable object',
    kind: 'core/v1/configmaps',
    step: { method: 'PUT', edits: [{ path: ['binaryData', 'a'], value: 'YQ==' }, { path: ['binaryData', 'a'] }] },
    reference: refusal('binaryData'),
    ours: answer(200, {}),
    rows: ['empty-bytes'],
  },
  {
    name: 'an edit that leaves bytes in an immutable object',
    kind: 'core/v1/configmaps',
    step: { method: 'PUT', edits: [{ path: ['binaryData', 'a'], value: 'YQ==' }] },
    reference: refusal('binaryData'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'an edit of a Pod that is gone with a negative grace period',
    kind: pods,
    step: { method: 'PUT', edits: [{ path: ['spec', 'a'] }] },
    met: [{ row: 'release-negative-grace', places: [['metadata', 'deletionGracePeriodSeconds']] }],
    reference: failure(400),
    ours: answer(200, {}),
    rows: ['release-negative-grace'],
  },
  {
    name: 'an edit of a Pod that is gone, where one with a negative grace period stays',
    kind: pods,
    step: { method: 'PUT', edits: [{ path: ['spec', 'a'] }] },
    met: [{ row: 'release-negative-grace', places: [['metadata', 'deletionGracePeriodSeconds']] }],
    reference: failure(409),
    ours: failure(400),
    rows: ['release-negative-grace'],
  },
  {
    name: 'another policy with a negative grace period',
    kind: pods,
    step: { method: 'DELETE', path: '/a' },
    reference: answer(200, { metadata: { deletionGracePeriodSeconds: -1, finalizers: ['foregroundDeletion'] } }),
    ours: answer(200, { metadata: { deletionGracePeriodSeconds: 1, finalizers: ['orphan'] } }),
    rows: ['release-negative-grace'],
  },
  {
    name: 'another policy with a grace period',
    kind: pods,
    step: { method: 'DELETE', path: '/a' },
    reference: answer(200, { metadata: { deletionGracePeriodSeconds: 1, finalizers: ['foregroundDeletion'] } }),
    ours: answer(200, { metadata: { deletionGracePeriodSeconds: 1, finalizers: ['orphan'] } }),
    rows: undefined,
  },
  {
    name: 'an edit of a Pod that is refused',
    kind: pods,
    step: { method: 'PUT', edits: [{ path: ['spec', 'a'] }] },
    reference: failure(400),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'a field of a condition of a Job that another apply leaves',
    kind: 'batch/v1/jobs',
    step: { ...apply, path: '/a/status', body: { status: { conditions: [{}] } } },
    reference: answer(200, { status: { conditions: [{ reason: 'a' }] } }),
    ours: answer(200, { status: { conditions: [{}] } }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'a field of a condition of a Job that a read has',
    kind: 'batch/v1/jobs',
    reference: answer(200, { status: { conditions: [{ reason: 'a' }] } }),
    ours: answer(200, { status: { conditions: [{}] } }),
    rows: undefined,
  },
  {
    name: 'a conflict with an owner who was reset there, before validation',
    kind: 'rbac.authorization/v1/roles',
    step: apply,
    met: [{ row: 'reset-managed-fields', places: [['rules']] }],
    reference: refusal('rules[0].apiGroups'),
    ours: failure(409, '', ['.rules']),
    rows: ['reset-managed-fields'],
  },
  {
    name: 'a conflict with another owner before validation',
    kind: 'rbac.authorization/v1/roles',
    step: apply,
    met: [{ row: 'reset-managed-fields', places: [['rules']] }],
    reference: refusal('rules[0].apiGroups'),
    ours: failure(409, '', ['.metadata.labels.a']),
    rows: undefined,
  },
  {
    name: 'a conflict with who owns a struct as it was when empty, before validation',
    kind: pods,
    step: byApplier,
    before: live(owned({ 'f:spec': { 'f:securityContext': {} } })),
    reference: failure(409, '', ['.spec.securityContext.runAsUser']),
    ours: refusal('spec.securityContext.runAsUser'),
    rows: ['empty-map-ownership'],
  },
  {
    name: 'a field of a Node that an apply takes away where its manager still owns it',
    kind: 'core/v1/nodes',
    step: apply,
    met: [{ row: 'release-status-reset', places: [['spec', 'providerID']], isOwner: true }],
    reference: answer(200, {}),
    ours: answer(422, {
      kind: 'Status',
      details: {
        causes: [
          { field: 'spec.providerID', reason: 'FieldValueForbidden' },
          { field: '[]', reason: 'FieldValueForbidden' },
        ],
      },
    }),
    rows: ['release-status-reset'],
  },
  {
    name: 'a field of an autoscaler that an apply does not take away where the status made its manager lose it',
    kind: 'autoscaling/v2beta2/horizontalpodautoscalers',
    step: apply,
    met: [{ row: 'release-status-reset', places: [['spec', 'maxReplicas']], isOwner: true }],
    reference: refusal('spec.maxReplicas'),
    ours: answer(200, {}),
    rows: ['release-status-reset'],
  },
  {
    name: 'the affinity of a volume that an apply replaces',
    kind: 'core/v1/persistentvolumes',
    step: apply,
    reference: refusalOf({ 'spec.persistentvolumesource': '' }),
    ours: refusalOf({ 'spec.persistentvolumesource': '', nodeAffinity: '' }),
    rows: ['release-atomic-structs'],
  },
  {
    name: 'a Node that is refused as a whole alone',
    kind: 'core/v1/nodes',
    step: apply,
    met: [{ row: 'release-status-reset', places: [['spec', 'providerID']], isOwner: true }],
    reference: answer(200, {}),
    ours: answer(422, { kind: 'Status', details: { causes: [{ field: '[]', reason: 'FieldValueForbidden' }] } }),
    rows: undefined,
  },
  {
    name: 'the DELETE of an object that has finalizers by chance',
    kind: pods,
    step: { method: 'DELETE' },
    met: [{ row: 'random-directive', places: [['metadata', 'finalizers']] }],
    reference: answer(200, { kind: 'Status' }),
    ours: answer(200, { kind: 'Pod' }),
    rows: ['random-directive'],
  },
  {
    name: 'who applied no labels to a Namespace',
    kind: 'core/v1/namespaces',
    step: { ...apply, body: { metadata: { labels: {} } } },
    reference: answer(201, { metadata: { managedFields: [] } }),
    ours: answer(201, owned({ 'f:metadata': { 'f:labels': {} } })),
    rows: ['release-applied-empties'],
  },
  {
    name: 'who applied labels to a Namespace',
    kind: 'core/v1/namespaces',
    step: { ...apply, body: { metadata: { labels: { a: 'b' } } } },
    reference: answer(201, { metadata: { managedFields: [] } }),
    ours: answer(201, owned({ 'f:metadata': { 'f:labels': { 'f:a': {} } } })),
    rows: undefined,
  },
  {
    name: 'a conflict on a field that is applied as null',
    kind: pods,
    step: { ...apply, body: { spec: { priority: null } } },
    reference: failure(409, 'Apply failed with 1 conflict', ['.spec.paused']),
    ours: failure(409, 'Apply failed with 2 conflicts', ['.spec.paused', '.spec.priority']),
    rows: ['release-applied-empties'],
  },
  {
    name: 'a conflict on a field that is applied',
    kind: pods,
    step: { ...apply, body: { spec: { priority: 1 } } },
    reference: failure(409, 'Apply failed with 1 conflict', ['.spec.paused']),
    ours: failure(409, 'Apply failed with 2 conflicts', ['.spec.paused', '.spec.priority']),
    rows: undefined,
  },
  {
    name: 'who owns an object with a condition of an empty type',
    kind: 'flowcontrol/v1beta1/flowschemas',
    step: { method: 'POST', body: { status: { conditions: [{ type: '' }] } } },
    reference: answer(201, owned({})),
    ours: answer(201, owned({ 'f:spec': {} })),
    rows: ['unkeyed-items'],
  },
  {
    name: 'an invalid update of a Service with an old version',
    kind: 'core/v1/services',
    step: { method: 'PUT' },
    reference: refusal('spec.ports'),
    ours: failure(409, 'the object has been modified'),
    rows: ['release-service-update'],
  },
  {
    name: 'an invalid update of a Pod with an old version',
    kind: pods,
    step: { method: 'PUT' },
    reference: refusal('spec.ports'),
    ours: failure(409, 'the object has been modified'),
    rows: undefined,
  },
  {
    name: 'a patch that leaves an empty map in an immutable object',
    kind: 'core/v1/secrets',
    step: { method: 'PATCH', body: { data: { a: null } } },
    reference: refusal('data'),
    ours: answer(200, {}),
    rows: ['empty-bytes'],
  },
  {
    name: 'a patch that leaves a map in an immutable object',
    kind: 'core/v1/secrets',
    step: { method: 'PATCH', body: { data: { a: null, b: 'YQ==' } } },
    reference: refusal('data'),
    ours: answer(200, {}),
    rows: undefined,
  },
  {
    name: 'the events of a watch that ends at once',
    kind: pods,
    step: { anyBody: true },
    reference: answer(200, 'ADDED'),
    ours: answer(200, ''),
    rows: [],
  },
  {
    name: 'the refusal of a watch that ends at once',
    kind: pods,
    step: { anyBody: true },
    reference: answer(200, 'ADDED'),
    ours: failure(400),
    rows: undefined,
  },
];

const unexplained: readonly Story[] = [
  {
    name: 'a zero',
    kind: apps,
    reference: answer(200, { spec: { replicas: 1 } }),
    ours: answer(200, { spec: { replicas: 0 } }),
  },
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
  for (const story of withPast) {
    it(`is ${story.rows ? 'explained' : 'reported'}: ${story.name}`, () => assert.deepEqual(rowsOf(story), story.rows));
  }
  for (const story of unexplained) {
    it(`is reported: ${story.name}`, () => assert.equal(rowsOf(story), undefined));
  }
});

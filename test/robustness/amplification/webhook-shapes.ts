import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { versionOf, widgetsAt, widgetsIn } from '../../http/custom-resources/widgets.ts';
import { anything, create, keys, maps, nested, text, times } from './inputs.ts';
import type { Hook, SentRequest, Shape, Sizes } from './shape.ts';

const configurations = '/apis/admissionregistration.cl.io/v1/mutatingwebhookconfigurations';

/** The uid of a review, which is before all objects in it. */
function uidOf(review: string): string {
  return /"uid":"([^"]*)"/.exec(review)?.[1] ?? '';
}

function configuration({ url, caBundle }: Hook): JsonObject {
  return {
    metadata: { name: 'amplification' },
    webhooks: [
      {
        name: 'hook.example.com',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }],
        clientConfig: { url, caBundle },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

/** A create whose webhook answers with these fields. */
function admissionShape(name: string, start: Sizes, fieldsOf: (sizes: Sizes) => JsonObject): Shape {
  return {
    name: `admission: ${name}`,
    start,
    make: (sizes, _group, hook) => {
      // Made before the request, because the webhook is in the process that is measured.
      const fields = JSON.stringify(fieldsOf(sizes)).slice(1);
      const removal: SentRequest = { method: 'DELETE', path: `${configurations}/amplification` };
      return {
        before: [{ method: 'POST', path: configurations, body: JSON.stringify(configuration(hook)) }],
        request: create(maps, { data: { a: 'a' } }),
        after: [removal],
        answer: (review) =>
          `{"kind":"AdmissionReview","apiVersion":"admission.cl.io/v1","response":{"uid":"${uidOf(review)}","allowed":true,${fields}}`,
      };
    },
  };
}

function patched(operations: readonly JsonValue[]): JsonObject {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

/** A read of an object whose conversion gives these fields. */
function conversionShape(
  name: string,
  specOf: (sizes: Sizes) => JsonValue,
  metadataOf: (sizes: Sizes) => JsonObject,
): Shape {
  return {
    name: `conversion: ${name}`,
    start: { count: 10, depth: 1, length: 1 },
    make: (sizes, group, hook) => {
      const schema = { openAPIV3Schema: anything };
      const versions = [versionOf('v1', { schema }), versionOf('v2', { schema, storage: false })];
      const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: hook.url, caBundle: hook.caBundle } };
      const conversion = { strategy: 'Webhook', webhook };
      const spec = JSON.stringify(specOf(sizes));
      const answer = (review: string): string => {
        const { objects } = (JSON.parse(review) as { request: { objects: { metadata: JsonObject }[] } }).request;
        const metadata = JSON.stringify({ ...objects[0]?.metadata, ...metadataOf(sizes) });
        const object = `{"apiVersion":"${group}/v2","kind":"Widget","metadata":${metadata},"spec":${spec}}`;
        const response = `{"uid":"${uidOf(review)}","result":{"status":"Success"},"convertedObjects":[${object}]}`;
        return `{"kind":"ConversionReview","apiVersion":"apiextensions.cl.io/v1","response":${response}}`;
      };
      return {
        definition: widgetsIn(group, { versions, conversion }),
        before: [create(widgetsAt(group), { kind: 'Widget' })],
        request: { method: 'GET', path: `${widgetsAt(group, 'v2')}/a` },
        answer,
      };
    },
  };
}

const sized: Sizes = { count: 10, length: 1 };

/** Answers of webhooks. */
export const webhookShapes: readonly Shape[] = [
  admissionShape('many operations', sized, ({ count = 1, length }) =>
    patched(times(count, (index) => ({ op: 'add', path: `/data/k${index}`, value: text(length) }))),
  ),
  admissionShape('copies of copies', sized, ({ count = 1, length }) =>
    patched([
      { op: 'add', path: '/data/b', value: text(length) },
      ...times(count, (index) => ({ op: 'copy', from: '/data', path: `/data/c${index}` })),
    ]),
  ),
  admissionShape('annotations for the audit log', sized, ({ count = 1, length }) => ({
    auditAnnotations: keys(count, text(length)),
  })),
  admissionShape('warnings', sized, ({ count = 1, length }) => ({
    warnings: times(count, (index) => `${index} ${text(length)}`),
  })),
  admissionShape('a long reason', sized, ({ count = 1, length = 1 }) => ({
    allowed: false,
    status: { message: text(count * length), details: { causes: times(count, () => ({ message: text(length) })) } },
  })),
  conversionShape(
    'many keys',
    ({ count = 1, length }) => keys(count, text(length)),
    () => ({}),
  ),
  conversionShape(
    'nested objects',
    ({ depth = 1, count = 1 }) =>
      nested(
        Math.min(depth, 900),
        times(count, () => ({ a: 1 })),
      ),
    () => ({}),
  ),
  conversionShape(
    'labels',
    () => ({}),
    ({ count = 1, length }) => ({ labels: keys(count, text(length)), annotations: keys(count, text(length)) }),
  ),
];

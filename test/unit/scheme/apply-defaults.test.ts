import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { applyDefaults } from '../../../src/scheme/apply-defaults.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { arbitraryDocument } from './arbitrary-document.ts';
import { textOf } from './text-of.ts';

function defaulted(message: string, value: JsonObject): JsonObject {
  const schema = schemaOf(message);
  const object = decodeObject(schema, value).value;
  applyDefaults(schema, object);
  return object;
}

function part(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const name of names) at = isJsonObject(at) ? getOwn(at, name) : undefined;
  return at;
}

const container = {
  name: 'c',
  image: 'busybox',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

describe('applyDefaults', () => {
  it('fills in a pod', () => {
    assert.deepEqual(
      defaulted('api.core.v1.Pod', { spec: { containers: [{ name: 'c', image: 'busybox' }] } })['spec'],
      {
        containers: [container],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
    );
  });

  it('keeps what was given, a zero that is a choice included', () => {
    const pod = defaulted('api.core.v1.Pod', {
      spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, dnsPolicy: '' },
    });
    assert.equal(part(pod, 'spec', 'restartPolicy'), 'Never');
    assert.equal(part(pod, 'spec', 'terminationGracePeriodSeconds'), 0);
    assert.equal(part(pod, 'spec', 'dnsPolicy'), 'ClusterFirst');
  });

  it('keeps fields in schema order', () => {
    const value = defaulted('api.core.v1.Container', { ports: [{ hostIP: '1.2.3.4', containerPort: 80 }] });
    assert.equal(textOf(value['ports']), '[{"containerPort":80,"protocol":"TCP","hostIP":"1.2.3.4"}]');
    const secret = defaulted('api.core.v1.Secret', { kind: 'Secret', apiVersion: 'v1', data: { a: '' } });
    assert.deepEqual(Object.keys(secret), ['kind', 'apiVersion', 'metadata', 'data', 'type']);
    const set = defaulted('api.apps.v1.StatefulSet', { spec: {} })['spec'];
    assert.deepEqual(Object.keys(set as JsonObject).slice(0, 2), ['replicas', 'template']);
  });

  it('fills in a deployment of apps/v1', () => {
    const spec = part(defaulted('api.apps.v1.Deployment', {}), 'spec');
    assert.equal(part(spec, 'replicas'), 1);
    assert.deepEqual(part(spec, 'strategy'), {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    });
    assert.equal(part(spec, 'revisionHistoryLimit'), 10);
    assert.equal(part(spec, 'progressDeadlineSeconds'), 600);
  });

  it('fills in what belongs to a choice only where that choice was made', () => {
    const recreate = defaulted('api.apps.v1.Deployment', { spec: { strategy: { type: 'Recreate' } } });
    assert.deepEqual(part(recreate, 'spec', 'strategy'), { type: 'Recreate' });
    const service = defaulted('api.core.v1.Service', { spec: { sessionAffinity: 'ClientIP' } });
    assert.deepEqual(part(service, 'spec', 'sessionAffinityConfig'), { clientIP: { timeoutSeconds: 10800 } });
    assert.equal(part(defaulted('api.core.v1.Service', {}), 'spec', 'sessionAffinityConfig'), undefined);
  });

  it('minds that versions of a kind differ in their defaults', () => {
    const stories: readonly (readonly [message: string, path: readonly string[], value: JsonValue])[] = [
      ['api.extensions.v1beta1.Deployment', ['spec', 'revisionHistoryLimit'], 2147483647],
      ['api.extensions.v1beta1.Deployment', ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], 1],
      ['api.apps.v1beta1.Deployment', ['spec', 'revisionHistoryLimit'], 2],
      ['api.extensions.v1beta1.DaemonSet', ['spec', 'updateStrategy', 'type'], 'OnDelete'],
      ['api.apps.v1beta1.StatefulSet', ['spec', 'updateStrategy', 'type'], 'OnDelete'],
      ['api.admissionregistration.v1.ValidatingWebhook', ['failurePolicy'], 'Fail'],
      ['api.admissionregistration.v1beta1.ValidatingWebhook', ['failurePolicy'], 'Ignore'],
      ['api.admissionregistration.v1.MutatingWebhook', ['timeoutSeconds'], 10],
      ['api.admissionregistration.v1beta1.MutatingWebhook', ['timeoutSeconds'], 30],
      ['api.admissionregistration.v1beta1.MutatingWebhook', ['sideEffects'], 'Unknown'],
      ['api.networking.v1beta1.HTTPIngressPath', ['pathType'], 'ImplementationSpecific'],
    ];
    for (const [message, path, value] of stories) {
      assert.deepEqual(part(defaulted(message, {}), ...path), value, `${message} ${path.join('.')}`);
    }
    assert.equal(defaulted('api.networking.v1.HTTPIngressPath', {})['pathType'], null);
  });

  it('fills in secrets, services, claims, jobs and classes', () => {
    const stories: readonly (readonly [message: string, path: readonly string[], value: JsonValue])[] = [
      ['api.core.v1.Secret', ['type'], 'Opaque'],
      ['api.core.v1.Service', ['spec', 'type'], 'ClusterIP'],
      ['api.core.v1.Service', ['spec', 'sessionAffinity'], 'None'],
      ['api.core.v1.PersistentVolumeClaim', ['spec', 'volumeMode'], 'Filesystem'],
      ['api.core.v1.Namespace', ['status', 'phase'], 'Active'],
      ['api.batch.v1.CronJob', ['spec', 'concurrencyPolicy'], 'Allow'],
      ['api.batch.v1.CronJob', ['spec', 'suspend'], false],
      ['api.storage.v1.StorageClass', ['reclaimPolicy'], 'Delete'],
      ['api.storage.v1.CSIDriver', ['spec', 'volumeLifecycleModes'], ['Persistent']],
      ['api.scheduling.v1.PriorityClass', ['preemptionPolicy'], 'PreemptLowerPriority'],
      ['api.autoscaling.v2.HorizontalPodAutoscaler', ['spec', 'minReplicas'], 1],
      ['api.flowcontrol.v1beta2.FlowSchema', ['spec', 'matchingPrecedence'], 1000],
      ['api.apiextensions.v1.CustomResourceDefinition', ['spec', 'conversion'], { strategy: 'None' }],
    ];
    for (const [message, path, value] of stories) {
      assert.deepEqual(part(defaulted(message, {}), ...path), value, `${message} ${path.join('.')}`);
    }
  });

  it('never hands out the same default object twice', () => {
    const first = part(defaulted('api.core.v1.Pod', {}), 'spec', 'securityContext');
    assert.notEqual(first, part(defaulted('api.core.v1.Pod', {}), 'spec', 'securityContext'));
  });

  for (const message of [
    'api.core.v1.Pod',
    'api.apps.v1.Deployment',
    'api.networking.v1.Ingress',
    'api.core.v1.Service',
  ]) {
    const schema = schemaOf(message);
    it(`changes nothing the second time, and leaves a decoded object: ${message}`, () => {
      fc.assert(
        fc.property(arbitraryDocument(schema), (document) => {
          const { value } = decodeObject(schema, document);
          applyDefaults(schema, value);
          const once = textOf(value);
          applyDefaults(schema, value);
          assert.equal(textOf(value), once);
          assert.equal(textOf(decodeObject(schema, value).value), once);
        }),
        { numRuns: 200 },
      );
    });
  }
});

import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { dropEmptyLists } from '../../../src/scheme/drop-empty-lists.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

/** What kube-apiserver writes, once it is stored, of a message that says no more than `given`: Go leaves out what its types call optional. */
const written: readonly (readonly [message: string, given: JsonObject, written: JsonObject])[] = [
  ['apps.v1.DeploymentCondition', {}, { type: '', status: '', lastUpdateTime: null, lastTransitionTime: null }],
  ['apps.v1.DaemonSetCondition', {}, { type: '', status: '', lastTransitionTime: null }],
  ['apps.v1.ReplicaSetCondition', {}, { type: '', status: '', lastTransitionTime: null }],
  ['apps.v1.StatefulSetCondition', {}, { type: '', status: '', lastTransitionTime: null }],
  ['core.v1.ContainerImage', {}, { names: null }],
  ['core.v1.EventSeries', {}, { lastObservedTime: null }],
  ['core.v1.HostAlias', {}, {}],
  ['core.v1.HostAlias', { ip: '1.2.3.4', hostnames: [] }, { ip: '1.2.3.4' }],
  ['core.v1.PodDNSConfigOption', {}, {}],
  ['core.v1.PodIP', {}, {}],
  ['core.v1.ProjectedVolumeSource', {}, { sources: null }],
  ['core.v1.ProjectedVolumeSource', { sources: [] }, { sources: null }],
  ['core.v1.ScaleIOVolumeSource', {}, { gateway: '', system: '', secretRef: null }],
  ['core.v1.StorageOSVolumeSource', {}, {}],
  ['core.v1.TypedLocalObjectReference', {}, { apiGroup: null, kind: '', name: '' }],
  ['core.v1.TypedLocalObjectReference', { apiGroup: '' }, { apiGroup: '', kind: '', name: '' }],
  ['networking.v1.IngressClassParametersReference', {}, { kind: '', name: '' }],
  ['policy.v1beta1.AllowedHostPath', {}, {}],
  ['rbac_authorization.v1.PolicyRule', {}, { verbs: null }],
  ['rbac_authorization.v1.PolicyRule', { verbs: [], resources: [] }, { verbs: null }],
  ['storage.v1.CSINodeDriver', {}, { name: '', nodeID: '', topologyKeys: null }],
  ['storage.v1.CSINodeSpec', { drivers: [] }, { drivers: null }],
  ['autoscaling.v2.HPAScalingRules', { selectPolicy: '', policies: [] }, { selectPolicy: '' }],
  [
    'apiextensions.v1.JSONSchemaProps',
    { dependencies: {}, properties: { a: { dependencies: {} } } },
    { properties: { a: {} } },
  ],
];

describe('fields that are always written', () => {
  it('leave out the absent time of creation from 1.34 on', () => {
    const metadata = (release: string) =>
      decodeObject(schemaOf('api.core.v1.PodTemplateSpec', release), {}).value['metadata'];
    assert.deepEqual([metadata('1.33'), metadata('1.34')], [{ creationTimestamp: null }, {}]);
  });

  for (const [message, given, expected] of written) {
    it(`writes ${JSON.stringify(expected)} of ${message} ${JSON.stringify(given)}`, () => {
      const schema = schemaOf(`api.${message}`);
      const { value } = decodeObject(schema, given);
      dropEmptyLists(schema, value);
      assert.deepEqual(value, expected);
    });
  }

  it('writes the name of the service of a StatefulSet that names none', () => {
    const { value } = decodeObject(schemaOf('api.apps.v1.StatefulSetSpec'), {});
    assert.equal(value['serviceName'], '');
  });
});

import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { everyVersion } from './every-version.ts';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const containers = [{ name: 'c', image: 'i' }];

// Every answer here is an object.
const metadataOf = (body: unknown): JsonObject => objectAt(body as JsonObject, 'metadata');

describe('empty values that differ from missing ones', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ ...everyVersion, store: 'memory', identifiers: 'kubernetes' });
  });
  after(() => server.stop());

  const refused: readonly (readonly [field: string, value: JsonObject, message: string])[] = [
    [
      'an overhead of nothing',
      { overhead: {} },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'an empty preemption policy',
      { preemptionPolicy: '' },
      'the string value of PreemptionPolicy () must not be provided in pod spec; priority admission controller ' +
        'computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ];
  for (const [what, value, message] of refused) {
    it(`refuse ${what} of a new Pod`, async () => {
      const response = await request(server, 'POST', pods, { metadata: { name: 'p' }, spec: { containers, ...value } });
      assert.equal(response.status, 403);
      assert.equal(stringAt(response.body as JsonObject, 'message'), `pods "p" is forbidden: ${message}`);
    });
  }

  it('are stored as missing, without an owner and without a new generation', async () => {
    const deployment = (spec: JsonObject): JsonObject => ({
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { app: 'd' } },
        template: { metadata: { labels: { app: 'd' } }, spec: { containers, ...spec } },
      },
    });
    const created = await request(server, 'POST', deployments, deployment({ overhead: {} }));
    assert.equal(created.status, 201, created.text);
    assert.doesNotMatch(created.text, /overhead/);
    const updated = await request(server, 'PUT', `${deployments}/d`, deployment({ overhead: {} }));
    assert.deepEqual(metadataOf(updated.body), metadataOf(created.body));
  });

  it('are written as null where a list is always there: the namespaces of a rule of a FlowSchema', async () => {
    const rule = { verbs: ['get'], apiGroups: [''], resources: ['nodes'], clusterScope: true };
    const subjects = [{ kind: 'User', user: { name: 'a' } }];
    const created = await request(server, 'POST', '/apis/flowcontrol.apiserver.k8s.io/v1beta1/flowschemas', {
      metadata: { name: 'f' },
      spec: { priorityLevelConfiguration: { name: 'p' }, rules: [{ subjects, resourceRules: [rule] }] },
    });
    assert.equal(created.status, 201, created.text);
    const [written] = objectsAt(objectAt(created.body as JsonObject, 'spec'), 'rules');
    assert.deepEqual(objectsAt(written ?? {}, 'resourceRules'), [{ ...rule, namespaces: null }]);
  });

  it('are no defaults: a request for a certificate through v1beta1 must name some usages and a signer', async () => {
    const path = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests';
    const spec = { request: '', usages: [], signerName: '' };
    const { text } = await request(server, 'POST', path, { metadata: { name: 'c' }, spec });
    assert.match(text, /spec.usages: Required value/);
    assert.match(text, /spec.signerName: Required value/);
  });

  it('are told from missing ones by an apply, which gets the defaults', async () => {
    const path = '/apis/certificates.k8s.io/v1beta1/certificatesigningrequests/c?fieldManager=a';
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const type = { apiVersion: 'certificates.k8s.io/v1beta1', kind: 'CertificateSigningRequest' };
    const body = { ...type, metadata: { name: 'c' }, spec: { uid: 'u' } };
    const { text } = await request(server, 'PATCH', path, body, headers);
    assert.match(text, /spec.request: Invalid value/);
    assert.doesNotMatch(text, /spec.usages|spec.signerName/);
  });
});

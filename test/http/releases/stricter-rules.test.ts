import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { request } from '../http-client.ts';
import { type ReleaseServer, startRelease, valuesOf } from './release-server.ts';

const labels = { app: 'a' };
const containers = [{ name: 'c', image: 'i' }];
const admissionRegistration = 'admissionregistration.cl.io';

/** Objects of release 1.26 that a later release would refuse to create, by the path of their collection there. */
const earlierObjects: readonly (readonly [collection: string, object: JsonObject])[] = [
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'a.b', generateName: 'a.b-' },
      spec: {
        serviceName: 's',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    },
  ],
  [
    `/apis/${admissionRegistration}/v1alpha1/validatingadmissionpolicybindings`,
    {
      apiVersion: `${admissionRegistration}/v1alpha1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'without-actions' },
      spec: { policyName: 'p' },
    },
  ],
];

/** A Service with a policy that releases before 1.27 know for other types only. */
const laterService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'reachable' },
  spec: { ports: [{ port: 80 }], externalIPs: ['203.0.113.7'], externalTrafficPolicy: 'Local' },
};
const services = '/api/v1/namespaces/default/services';

async function create({ server }: ReleaseServer, collection: string, object: JsonObject): Promise<void> {
  const { status, text } = await request(server, 'POST', collection, object);
  assert.equal(status, 201, text);
}

async function addLabels({ server }: ReleaseServer, path: string): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { status, text } = await request(server, 'PATCH', path, { metadata: { labels } }, headers);
  assert.equal(status, 200, text);
}

it('objects that another release would refuse to create can be changed there', async () => {
  await using earlier = await startRelease('1.26');
  for (const [collection, object] of earlierObjects) await create(earlier, collection, object);
  await using later = await startRelease('1.36', await valuesOf(earlier.store));
  await addLabels(later, '/apis/apps/v1/namespaces/default/statefulsets/a.b');
  await addLabels(later, `/apis/${admissionRegistration}/v1/validatingadmissionpolicybindings/without-actions`);
  await create(later, services, laterService);
  await using again = await startRelease('1.26', await valuesOf(later.store));
  await addLabels(again, `${services}/reachable`);
});

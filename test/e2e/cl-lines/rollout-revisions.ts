import assert from 'node:assert/strict';
import { stringAt } from '../../../src/meta/read-field.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { request } from '../../http/http-client.ts';

const apps = '/apis/apps/v1/namespaces/default';
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** What controllers keep of a past revision of the workloads: a ReplicaSet and ControllerRevisions. */
export async function createRevision(server: TestServer, revision: number): Promise<void> {
  const uidOf = async (kind: string, name: string): Promise<string> => {
    const { body } = await request(server, 'GET', `${apps}/${kind}/${name}`);
    return stringAt((body as JsonObject)['metadata'] as JsonObject, 'uid');
  };
  const send = async (method: string, at: string, body: object, headers = {}): Promise<void> => {
    const { status, text } = await request(server, method, at, body, headers);
    assert.ok(status < 300, text);
  };
  const owner = async (kind: string, resource: string, name: string) => [
    { apiVersion: 'apps/v1', kind, name, uid: await uidOf(resource, name), controller: true },
  ];
  const labels = { app: 'web', 'pod-template-hash': `hash${revision}` };
  await send('POST', `${apps}/replicasets`, {
    metadata: {
      name: `web-${revision}`,
      labels,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: await owner('Deployment', 'deployments', 'web'),
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: `nginx:${revision}` }] } },
    },
  });
  for (const [kind, resource, name] of [
    ['StatefulSet', 'statefulsets', 'db'],
    ['DaemonSet', 'daemonsets', 'agent'],
  ] as const) {
    const spec = { containers: [{ name, image: `${name}:${revision}` }] };
    const template = { $patch: 'replace', metadata: { labels: { app: name } }, spec };
    await send('POST', `${apps}/controllerrevisions`, {
      metadata: {
        name: `${name}-${revision}`,
        labels: { app: name },
        ownerReferences: await owner(kind, resource, name),
      },
      revision,
      data: { spec: { template } },
    });
    const status = { observedGeneration: 1, replicas: 1, currentRevision: `${name}-${revision}` };
    if (kind === 'StatefulSet') await send('PATCH', `${apps}/${resource}/${name}/status`, { status }, mergePatch);
  }
}

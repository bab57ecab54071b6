import assert from 'node:assert/strict';
import { request, type Target } from '../../http/http-client.ts';

const group = 'conversion.example.com';
/** Nobody listens there. */
const nobody = 'https://127.0.0.1:1/';
const gears = (version: string): string => `/apis/${group}/${version}/namespaces/default/gears`;

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', 'x-cluster-preserve-unknown-fields': true } },
  },
};

const definition = {
  metadata: { name: `gears.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'gears', kind: 'Gear' },
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
    ],
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: nobody }, conversionReviewVersions: ['v1'] } },
  },
};

/** A webhook that sees the ConfigMaps with a label, and does not answer. */
function webhook(name: string, failurePolicy: string): object {
  return {
    name,
    failurePolicy,
    clientConfig: { url: nobody },
    objectSelector: { matchLabels: { webhook: failurePolicy } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

const webhooks = {
  metadata: { name: 'unreachable' },
  webhooks: [webhook('refuses.example.com', 'Fail'), webhook('passes.example.com', 'Ignore')],
};

const apiService = {
  metadata: { name: 'v1.absent.example.com' },
  spec: {
    group: 'absent.example.com',
    version: 'v1',
    groupPriorityMinimum: 10,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { name: 'absent', namespace: 'default' },
  },
};

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
};

/** Makes what later requests meet: workloads, and webhooks, a converter and an aggregated server that do not answer. */
export async function prepareTraffic(server: Target): Promise<void> {
  const objects = [
    ['/apis/apiextensions.cl.io/v1/customresourcedefinitions', definition],
    ['/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations', webhooks],
    ['/apis/apiregistration.cl.io/v1/apiservices', apiService],
    ['/apis/apps/v1/namespaces/default/deployments', deployment],
  ] as const;
  for (const [path, object] of objects) {
    const { status, text } = await request(server, 'POST', path, object);
    assert.equal(status, 201, `${path}: ${text}`);
  }
}

/** Sends one round of requests, of all kinds that the dashboards tell apart. Rounds have different names. */
export async function sendTraffic(server: Target, round: number): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const name = `round-${round}`;
  const refused = { webhook: 'Fail' };
  const passed = { webhook: 'Ignore' };
  const deprecated = '/apis/policy/v1beta1/podsecuritypolicies';
  await request(server, 'POST', path, { metadata: { name }, data: { a: 'b' } });
  await request(server, 'POST', path, { metadata: { name: `${name}-refused`, labels: refused } });
  await request(server, 'POST', path, { metadata: { name: `${name}-passed`, labels: passed } });
  await request(
    server,
    'PATCH',
    `${path}/${name}`,
    { data: { a: 'c' } },
    { 'content-type': 'application/merge-patch+json' },
  );
  await request(server, 'POST', gears('v1'), { apiVersion: `${group}/v1`, kind: 'Gear', metadata: { name }, spec: {} });
  await Promise.all([
    request(server, 'GET', `${path}/${name}`),
    request(server, 'GET', path),
    request(server, 'GET', '/api/v1/pods'),
    request(server, 'GET', `${path}?watch=1&timeoutSeconds=1&resourceVersion=0`),
    request(server, 'GET', `${gears('v2')}/${name}`),
    request(server, 'GET', `${deprecated}/absent`),
    request(server, 'GET', '/readyz'),
    request({ ...server, token: 'wrong' }, 'GET', path),
    request(server, 'POST', `/api/v1/namespaces/absent/configmaps`, { metadata: { name } }),
  ]);
  await request(server, 'DELETE', `${path}/${name}`);
  // The controllers have work.
  const replicas = { spec: { replicas: 1 + (round % 3) } };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await request(server, 'PATCH', '/apis/apps/v1/namespaces/default/deployments/web', replicas, merge);
}

import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { patchWith, startWebhookWorld } from '../admission/webhook-world.ts';
import { request } from '../http-client.ts';
import { sendRaw } from '../raw-socket.ts';
import { readMetrics } from '../read-metrics.ts';
import { openWatch } from '../reads/open-watch.ts';
import { until } from '../until.ts';
import { type AuditedServer, type LoggedEvent, readEvents, startAuditedServer } from './audited-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };
const masters = ['system:masters', 'system:authenticated'];

/** Groups select the level, because policies look at the authenticated user. */
const policy: JsonObject = {
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*'] },
    { level: 'None', resources: [{ group: '', resources: ['configmaps'], resourceNames: ['hidden'] }] },
    { level: 'Metadata', userGroups: ['metadata'] },
    { level: 'Request', userGroups: ['request'] },
    { level: 'RequestResponse', omitManagedFields: true, userGroups: ['bare'] },
    { level: 'RequestResponse' },
  ],
};

const tokens = ['metadata', 'request', 'bare'].map((group) => ({
  token: `token-${group}`,
  username: group,
  groups: [group, 'system:masters'],
}));

const metadataOf = (event: LoggedEvent | undefined): JsonObject => objectAt(event?.responseObject ?? {}, 'metadata');

describe('audit events', () => {
  let audited: AuditedServer;
  let nextId = 0;

  before(async () => {
    audited = await startAuditedServer({ policy, tokens, identifiers: 'kubernetes', emulatedRelease: '1.20' });
  });
  after(() => audited[Symbol.asyncDispose]());

  /** Sends a request and returns its events. */
  async function eventsOf(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const auditId = `id-${nextId++}`;
    const response = await request(audited.server, method, path, body, { 'audit-id': auditId, ...headers });
    assert.equal(response.headers['audit-id'], auditId);
    return await audited.events(auditId);
  }

  const as = (group: string): Record<string, string> => ({ authorization: `Bearer token-${group}` });

  it('have the path of a request, and no password of its absolute form', async () => {
    const { host } = new URL(audited.server.url);
    const auditId = `id-${nextId++}`;
    const target = `https://user:hunter2@${host}${configMaps}/none?x=y`;
    const head = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${audited.server.token}`];
    const response = await sendRaw(audited.server, [...head, `Audit-Id: ${auditId}`, '', ''].join('\r\n'));
    assert.ok(response.status > 0);
    const events = await audited.events(auditId);
    assert.ok(events.length > 0);
    for (const event of events) {
      assert.equal(event['requestURI'], `${configMaps}/none?x=y`);
      assert.ok(!JSON.stringify(event).includes('hunter2'));
    }
  });

  it('record the arrival and the end of a request, with user, source and decision', async () => {
    const [received, complete, ...more] = await eventsOf('GET', `${configMaps}/none?x=%3Cy`, undefined, {
      'user-agent': 'probe/1',
    });
    assert.ok(received && complete && more.length === 0);
    const { requestReceivedTimestamp, stageTimestamp, ...rest } = received;
    assert.match(stageTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(stageTimestamp, requestReceivedTimestamp);
    assert.ok(Math.abs(Date.parse(stageTimestamp) - Date.now()) < 60_000);
    const head = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: complete.auditID,
      requestURI: `${configMaps}/none?x=%3Cy`,
      verb: 'get',
      user: { username: 'admin', groups: masters },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'probe/1',
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'none', apiVersion: 'v1' },
    };
    assert.deepEqual(rest, { ...head, stage: 'RequestReceived' });
    assert.ok(complete.stageTimestamp > complete.requestReceivedTimestamp);
    assert.deepEqual(complete, {
      ...head,
      stage: 'ResponseComplete',
      requestReceivedTimestamp,
      stageTimestamp: complete.stageTimestamp,
      responseStatus: { metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 },
      responseObject: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "none" not found',
        reason: 'NotFound',
        details: { name: 'none', kind: 'configmaps' },
        code: 404,
      },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
  });

  it('have the objects of creates and updates, as decoded and as answered', async () => {
    const sent = { metadata: { name: 'one' }, stringData: { a: 'b' } };
    const [, created] = await eventsOf('POST', '/api/v1/namespaces/default/secrets', sent);
    assert.deepEqual(created?.requestObject, {
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'one', creationTimestamp: null },
      type: 'Opaque',
      data: { a: 'Yg==' },
    });
    assert.deepEqual(created.objectRef, { resource: 'secrets', namespace: 'default', name: 'one', apiVersion: 'v1' });
    assert.deepEqual(created.responseStatus, { metadata: {}, code: 201 });
    assert.deepEqual(created.responseObject?.['data'], { a: 'Yg==' });
    const { uid, resourceVersion } = metadataOf(created);
    const path = '/api/v1/namespaces/default/secrets/one';
    const replaced = { metadata: { name: 'one', uid, resourceVersion }, data: { c: 'Yg==' } };
    const [, updated] = await eventsOf('PUT', path, replaced);
    assert.deepEqual(updated?.objectRef, {
      resource: 'secrets',
      namespace: 'default',
      name: 'one',
      uid,
      apiVersion: 'v1',
      resourceVersion,
    });
    assert.deepEqual(updated.requestObject?.['data'], { c: 'Yg==' });
    assert.deepEqual(updated.responseObject?.['data'], { c: 'Yg==' });
  });

  it('have patches and delete options as sent', async () => {
    await request(audited.server, 'POST', configMaps, { metadata: { name: 'patched' } });
    const path = `${configMaps}/patched`;
    const [, patched] = await eventsOf('PATCH', path, { data: { a: 'b' } }, merge);
    assert.deepEqual(patched?.requestObject, { data: { a: 'b' } });
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: patched}\n';
    const [, applied] = await eventsOf('PATCH', `${path}?fieldManager=me&force=true`, yaml, apply);
    assert.deepEqual(applied?.requestObject, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patched' } });
    const [, deleted] = await eventsOf('DELETE', path, { propagationPolicy: 'Background' });
    assert.deepEqual(deleted?.requestObject, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    });
    assert.deepEqual(deleted.responseStatus, { metadata: {}, status: 'Success', code: 200 });
  });

  it('have lists and Tables as answered, as JSON in whatever format they were sent', async () => {
    await request(audited.server, 'POST', configMaps, { metadata: { name: 'listed', labels: { list: 'me' } } });
    const path = `${configMaps}?labelSelector=list%3Dme`;
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']) {
      const [, complete] = await eventsOf('GET', path, undefined, { accept });
      assert.equal(complete?.responseObject?.['kind'], 'ConfigMapList');
      assert.equal(objectAt(objectsAt(complete.responseObject, 'items')[0] ?? {}, 'metadata')['name'], 'listed');
    }
    const [, table] = await eventsOf('GET', path, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    assert.equal(table?.responseObject?.['kind'], 'Table');
    const [, discovery] = await eventsOf('GET', '/api');
    assert.equal(discovery?.responseObject?.['kind'], 'APIVersions');
  });

  it('have no objects at level Metadata, and none of the response at level Request', async () => {
    const body = { metadata: { name: 'quiet' }, data: { canary: 'canary-value' } };
    const events = await eventsOf('POST', configMaps, body, as('metadata'));
    assert.deepEqual(
      events.map(({ stage, level }) => [stage, level]),
      [
        ['RequestReceived', 'Metadata'],
        ['ResponseComplete', 'Metadata'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(events), /canary/);
    assert.equal(events[1]?.objectRef?.['name'], 'quiet');
    const [, again] = await eventsOf('POST', configMaps, body, as('request'));
    assert.deepEqual(again?.requestObject?.['data'], { canary: 'canary-value' });
    assert.equal(again.responseObject, undefined);
  });

  it('leave out managed fields if the policy says so', async () => {
    const [, kept] = await eventsOf('POST', configMaps, { metadata: { name: 'managed' }, data: { a: 'b' } });
    assert.ok('managedFields' in metadataOf(kept));
    const path = `${configMaps}?fieldSelector=metadata.name%3Dmanaged`;
    for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
      const [, bare] = await eventsOf('GET', path, undefined, { ...as('bare'), accept });
      assert.match(JSON.stringify(bare?.responseObject), /"managed"/);
      assert.doesNotMatch(JSON.stringify(bare?.responseObject), /managedFields/);
    }
  });

  it('name the impersonated user beside the caller, who selects the level', async () => {
    const impersonation = { 'impersonate-user': 'bob', 'impersonate-group': 'metadata', 'impersonate-extra-foo': 'x' };
    const [received, complete] = await eventsOf('GET', configMaps, undefined, impersonation);
    assert.equal(received?.impersonatedUser, undefined);
    assert.equal(complete?.level, 'RequestResponse');
    assert.equal(complete.user['username'], 'admin');
    const groups = ['metadata', 'system:authenticated'];
    assert.deepEqual(complete.impersonatedUser, { username: 'bob', groups, extra: { foo: ['x'] } });
  });

  it('list the addresses that proxies name before that of the connection', async () => {
    const addresses = async (headers: Record<string, string>) =>
      (await eventsOf('GET', '/version', undefined, headers))[1]?.sourceIPs;
    assert.deepEqual(await addresses({ 'x-forwarded-for': '1.2.3.4, 5.6.7.8' }), ['1.2.3.4', '5.6.7.8', '127.0.0.1']);
    assert.deepEqual(await addresses({ 'x-real-ip': '9.9.9.9' }), ['9.9.9.9', '127.0.0.1']);
    const both = { 'x-forwarded-for': 'bogus, 5.6.7.8', 'x-real-ip': '9.9.9.9' };
    assert.deepEqual(await addresses(both), ['5.6.7.8', '9.9.9.9', '127.0.0.1']);
    assert.deepEqual(await addresses({ 'x-forwarded-for': '1.2.3.4, 127.0.0.1' }), ['1.2.3.4', '127.0.0.1']);
  });

  it('cut a long user agent', async () => {
    const [event] = await eventsOf('GET', '/version', undefined, { 'user-agent': 'x'.repeat(2_000) });
    assert.equal(event?.userAgent, `${'x'.repeat(1024)}...TRUNCATED`);
  });

  it('record a refused credential once, without a user', async () => {
    const events = await eventsOf('GET', configMaps, undefined, { authorization: 'Bearer canary-token' });
    const [event] = events;
    assert.deepEqual(
      events.map(({ stage }) => stage),
      ['ResponseStarted'],
    );
    assert.deepEqual(event?.user, {});
    assert.deepEqual(event.responseStatus, { metadata: {}, status: 'Failure', reason: 'Unauthorized', code: 401 });
    assert.equal(event.responseObject?.['message'], 'Unauthorized');
    assert.equal(event.annotations, undefined);
    assert.doesNotMatch(JSON.stringify(event), /canary/);
  });

  it('name a deprecated version and the release that removes it', async () => {
    const [, event] = await eventsOf('GET', '/apis/extensions/v1beta1/ingresses');
    assert.equal(event?.annotations?.['k8s.io/deprecated'], 'true');
    assert.equal(event.annotations['k8s.io/removed-release'], '1.22');
  });

  it('name the object that a list or watch selects by its name, to rules too', async () => {
    const selected = `${configMaps}?fieldSelector=metadata.name%3D`;
    const [received, listed] = await eventsOf('GET', `${selected}one`);
    for (const event of [received, listed]) assert.equal(event?.objectRef?.['name'], 'one');
    const [, started] = await eventsOf('GET', `${selected}one&watch=1&timeoutSeconds=1`);
    assert.equal(started?.objectRef?.['name'], 'one');
    assert.deepEqual(await eventsOf('GET', `${selected}hidden`), []);
    const [, deleted] = await eventsOf('DELETE', `${selected}hidden`);
    assert.ok(deleted?.objectRef && !('name' in deleted.objectRef));
  });

  it('have the status of sub-resources that return no object, and what was sent to them', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    for (const name of ['bound', 'evicted']) {
      const body = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'x' }] } };
      assert.equal((await request(audited.server, 'POST', pods, body)).status, 201);
    }
    const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } };
    const [, bound] = await eventsOf('POST', `${pods}/bound/binding`, binding);
    const [, evicted] = await eventsOf('POST', `${pods}/evicted/eviction`, { metadata: { name: 'evicted' } });
    for (const event of [bound, evicted]) {
      assert.deepEqual(event?.responseStatus, { metadata: {}, status: 'Success', code: 201 });
      assert.equal(event.responseObject?.['kind'], 'Status');
    }
    assert.equal(bound?.requestObject?.['kind'], 'Binding');
    assert.equal(evicted?.requestObject?.['kind'], 'Eviction');
  });

  it('are complete for patches that cannot be read', async () => {
    for (const type of [
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/apply-patch+yaml',
    ]) {
      const [, end] = await eventsOf('PATCH', `${configMaps}/one?fieldManager=m`, '{"a":', { 'content-type': type });
      assert.equal(end?.stage, 'ResponseComplete');
      assert.equal(end.responseStatus?.['code'], 400);
      assert.equal(end.requestObject, undefined);
    }
  });

  it('record the start and the end of a watch', async () => {
    const auditId = `id-${nextId++}`;
    const watch = await openWatch(audited.server, `${configMaps}?watch=1`, { 'audit-id': auditId });
    await until('the start', async () => (await audited.events(auditId)).length === 2);
    watch.stop();
    await until('the end', async () => (await audited.events(auditId)).length === 3);
    const events = await audited.events(auditId);
    assert.deepEqual(
      events.map(({ stage }) => stage),
      ['RequestReceived', 'ResponseStarted', 'ResponseComplete'],
    );
    assert.deepEqual(
      events.map(({ responseStatus }) => responseStatus?.['code']),
      [undefined, 200, 200],
    );
    const [, refused, end] = await eventsOf('GET', `${configMaps}?watch=1&resourceVersion=abc`);
    assert.equal(refused?.stage, 'ResponseStarted');
    assert.equal(end?.responseStatus?.['code'], 400);
  });

  it('record nothing of requests at level None, and count levels', async () => {
    assert.deepEqual(await eventsOf('GET', '/healthz'), []);
    const metrics = await readMetrics(audited.server);
    assert.ok((metrics.get('apiserver_audit_level_total{level="None"}') ?? 0) >= 1);
    assert.ok((metrics.get('apiserver_audit_level_total{level="Metadata"}') ?? 0) >= 1);
    assert.ok((metrics.get('apiserver_audit_event_total') ?? 0) >= (await readEvents(audited.logPath)).length - 1);
    assert.equal(metrics.get('apiserver_audit_requests_rejected_total'), 0);
  });
});

describe('audit events of webhooks', () => {
  it('name the webhooks that changed the object, and from level Request on their patches', async () => {
    const recorded: JsonObject = { rules: [{ level: 'Metadata', userGroups: ['metadata'] }, { level: 'Request' }] };
    await using audited = await startAuditedServer({ policy: recorded, tokens });
    await using world = await startWebhookWorld({ server: audited.server });
    await world.configure('mutating', 'one', { name: 'change' });
    world.at('/change', patchWith({ op: 'add', path: '/data', value: { canary: 'x' } }));
    const key = 'webhook.admission.cl.io/round_0_index_0';
    for (const [group, hasPatch] of [
      ['metadata', false],
      ['request', true],
    ] as const) {
      const headers = { 'audit-id': group, authorization: `Bearer token-${group}` };
      await request(audited.server, 'POST', configMaps, { metadata: { name: group } }, headers);
      const annotations = (await audited.events(group)).at(-1)?.annotations ?? {};
      const call = { configuration: 'one', webhook: 'change.example.com', mutated: true };
      assert.deepEqual(JSON.parse(annotations[`mutation.${key}`] ?? '{}'), call);
      assert.equal(`patch.${key}` in annotations, hasPatch);
      assert.equal(JSON.stringify(annotations).includes('canary'), hasPatch);
    }
  });
});

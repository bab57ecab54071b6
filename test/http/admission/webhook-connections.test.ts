import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../../../src/testing/index.ts';
import { startAuditedServer } from '../audit/audited-server.ts';
import { agentOf, request } from '../http-client.ts';
import { until } from '../until.ts';
import { patchWith, respond, startWebhookWorld, type WebhookWorld } from './webhook-world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const create = ({ server }: WebhookWorld, name: string) => request(server, 'POST', configMaps, { metadata: { name } });
const messageOf = (text: string): string => (JSON.parse(text) as { message: string }).message;
const base64 = (text = ''): string => Buffer.from(text).toString('base64');

describe('the connections to webhooks', () => {
  it('are kept, and shared by all webhooks of a server', async () => {
    await using world = await startWebhookWorld();
    await world.configure('mutating', 'a', { name: 'm' }, { name: 'n' });
    await world.configure('validating', 'a', { name: 'v' });
    for (let index = 0; index < 5; index++) await create(world, `c${index}`);
    assert.equal(world.seen.length, 15);
    assert.ok(world.hooks.connections <= 4, `${world.hooks.connections} connections`);
  });

  it('lead to a Service by the name of its certificate', async () => {
    await using world = await startWebhookWorld({ names: ['hooks.default.svc'], serviceResolver: 'cluster-ip' });
    const { server, ca } = world.hooks.settings;
    const port = Number(new URL(server).port);
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await request(world.server, 'POST', '/api/v1/namespaces/default/services', { metadata: { name: 'hooks' }, spec });
    const service = { namespace: 'default', name: 'hooks', port, path: '/by-service' };
    await world.configure('validating', 'a', { name: 'v', clientConfig: { service, caBundle: base64(ca) } });
    const created = await create(world, 'c');
    assert.equal(created.status, 201, created.text);
    assert.equal(world.seen[0]?.path, '/by-service');
    assert.equal(world.hooks.seen[0]?.headers.host, `hooks.default.svc:${port}`);
  });

  it('fail with the reason for which a Service has no address', async () => {
    await using world = await startWebhookWorld();
    const service = { namespace: 'default', name: 'web' };
    await world.configure('validating', 'a', { name: 'v', clientConfig: { service } });
    const url = 'Post "https://web.default.svc:443/?timeout=10s"';
    const start = `Internal error occurred: failed calling webhook "v.example.com": ${url}:`;
    const missing = messageOf((await create(world, 'c')).text);
    assert.ok(missing.startsWith(`${start} service "web" not found (`), missing);
    const services = '/api/v1/namespaces/default/services';
    await request(world.server, 'POST', services, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    const unserved = messageOf((await create(world, 'c')).text);
    assert.ok(unserved.startsWith(`${start} no service port 443 found for service "web" (`), unserved);
  });

  it('verify the certificate of the server', async () => {
    await using world = await startWebhookWorld();
    await using other = await startWebhookWorld();
    const url = world.hooks.settings.server;
    const configuration = (ca = ''): object => ({ url, caBundle: base64(ca) });
    await world.configure('validating', 'a', { name: 'v', clientConfig: configuration(other.hooks.settings.ca) });
    assert.match((await create(world, 'c')).text, /x509: certificate signed by unknown authority/);
    const patch = { webhooks: [{ name: 'v.example.com', clientConfig: configuration(world.hooks.settings.ca) }] };
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const resource = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations/a';
    assert.equal((await request(world.server, 'PATCH', resource, JSON.stringify(patch), headers)).status, 200);
    assert.equal((await create(world, 'c')).status, 201);
    const byName = { url: url.replace('127.0.0.1', 'localhost'), caBundle: base64(world.hooks.settings.ca) };
    await world.configure('validating', 'b', { name: 'w', clientConfig: byName });
    assert.match((await create(world, 'd')).text, /x509: .*localhost/);
  });

  it('end with the client of the request', async () => {
    await using world = await startWebhookWorld();
    await world.configure('mutating', 'a', { name: 'm' }, { name: 'n' });
    let hasEnded = false;
    world.at('/m', (_, response) => void response.on('close', () => (hasEnded = true)));
    const client = new AbortController();
    const { server } = world;
    const sent = agentOf(server).request({
      origin: server.url,
      path: configMaps,
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'c' } }),
      signal: client.signal,
    });
    await until('the webhook to be called', () => world.seen.length === 1);
    client.abort();
    await assert.rejects(sent);
    await until('the call to end', () => hasEnded);
    assert.equal(world.seen.length, 1, 'nobody else is called');
    assert.equal((await request(server, 'GET', `${configMaps}/c`)).status, 404);
  });

  it('take no longer than the deadline of the request, whatever webhooks are ignored', async () => {
    await using world = await startWebhookWorld();
    const failurePolicy = 'Ignore';
    const slow = ['m', 'n', 'o'].map((name) => ({ name, failurePolicy, timeoutSeconds: 2 }));
    await world.configure('mutating', 'a', ...slow);
    for (const name of ['/m', '/n', '/o']) world.at(name, () => {});
    const late = await request(world.server, 'POST', `${configMaps}?timeout=3500ms`, { metadata: { name: 'c' } });
    assert.equal(late.status, 504, late.text);
    // On a busy machine the deadline may come before the second one is called.
    assert.ok(world.seen.length < 3, 'the third is not called');
    assert.equal((await request(world.server, 'GET', `${configMaps}/c`)).status, 404);
  });
});

describe('the credentials for webhooks', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-credentials-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('are those of a client config, by the host of the webhook', async () => {
    const file = path.join(directory, 'config');
    const user = (name: string): object => ({ name, user: { token: `token of ${name}` } });
    const users = [user('*'), user('localhost'), user('*.example.com')];
    await writeFile(file, JSON.stringify({ users }));
    const admissionConfigurations = { ValidatingAdmissionWebhook: { kubeConfigFile: file } };
    await using world = await startWebhookWorld({ names: ['localhost'], admissionConfigurations });
    const { server, ca } = world.hooks.settings;
    await world.configure('validating', 'a', { name: 'v' });
    await world.configure('mutating', 'a', { name: 'm' });
    assert.equal((await create(world, 'c')).status, 201);
    assert.deepEqual(
      world.hooks.seen.map(({ url, headers }) => [url.slice(0, 2), headers.authorization]),
      [
        ['/m', undefined],
        ['/v', 'Bearer token of *'],
      ],
    );
    await writeFile(file, JSON.stringify({ users: [user(`127.0.0.1:${new URL(server).port}`)] }));
    await using next = await startWebhookWorld({ admissionConfigurations });
    const clientConfig = { url: server, caBundle: base64(ca) };
    await next.configure('validating', 'a', { name: 'v', clientConfig });
    await create(next, 'c');
    assert.equal(world.hooks.seen.at(-1)?.headers.authorization, `Bearer token of 127.0.0.1:${new URL(server).port}`);
  });

  it('must be at an absolute path', async () => {
    const admissionConfigurations = { ValidatingAdmissionWebhook: { kubeConfigFile: 'config' } };
    await assert.rejects(startServer({ admissionConfigurations }), /kubeConfigFile: .*must be an absolute file path/);
  });

  it('must be readable when the server starts, unless the plugin is disabled', async () => {
    const file = path.join(directory, 'unreadable');
    const admissionConfigurations = { MutatingAdmissionWebhook: { kubeConfigFile: file } };
    const start = () => startServer({ store: 'memory', admissionConfigurations });
    await assert.rejects(start, /the admission plugin MutatingAdmissionWebhook: .*unreadable.*does not exist/);
    await writeFile(file, 'users: [');
    await assert.rejects(start, /the admission plugin MutatingAdmissionWebhook: .*not valid YAML/);
    await writeFile(file, '');
    await (await start()).stop();
    await rm(file);
    const admissionPlugins = { enabled: [], disabled: ['MutatingAdmissionWebhook'] };
    const server = await startServer({ store: 'memory', admissionConfigurations, admissionPlugins });
    await server.stop();
  });
});

describe('the configuration of webhooks', () => {
  it('takes effect on every server', async () => {
    await using first = await startServer({ store: 'etcd' });
    const etcd = { kind: 'etcd', servers: [first.etcdEndpoint ?? ''] } as const;
    await using second = await startServer({ store: etcd });
    await using world = await startWebhookWorld({ server: first });
    const createAt = (name: string) => request(second, 'POST', configMaps, { metadata: { name } });
    assert.equal((await createAt('before')).status, 201);
    world.at('/v', respond({ allowed: false }));
    await world.configure('validating', 'a', { name: 'v' });
    let tries = 0;
    await until('the other server to call it', async () => (await createAt(`c${tries++}`)).status === 400);
  });
});

describe('the audit record of a request', () => {
  it('names its webhooks, what they changed, and what they add', async () => {
    const policy = { rules: [{ level: 'Request', resources: [{ group: '', resources: ['configmaps'] }] }] };
    await using audited = await startAuditedServer({ policy });
    await using world = await startWebhookWorld({ server: audited.server });
    await world.configure('mutating', 'conf', { name: 'm' }, { name: 'n' }, { name: 'o', failurePolicy: 'Ignore' });
    await world.configure('validating', 'conf', { name: 'v' });
    world.at('/n', patchWith({ op: 'add', path: '/data', value: { a: '1' } }));
    world.at('/o', (_, response) => void response.writeHead(500).end());
    world.at('/v', respond({ auditAnnotations: { checked: 'twice', 'a/b': 'x', 'A Key': 'x', '': 'x' } }));
    const { headers } = await create(world, 'c');
    await until('the event', async () => (await audited.events(String(headers['audit-id']))).length > 0);
    const annotations = (await audited.events(String(headers['audit-id']))).at(-1)?.annotations ?? {};
    const own = Object.entries(annotations).filter(([key]) => /webhook|example/.test(key));
    const place = 'webhook.admission.cl.io/round_0_index_';
    const entry = (webhook: string, mutated: boolean): string =>
      JSON.stringify({ configuration: 'conf', webhook: `${webhook}.example.com`, mutated });
    const patch = [{ op: 'add', path: '/data', value: { a: '1' } }];
    assert.deepEqual(Object.fromEntries(own), {
      [`mutation.${place}0`]: entry('m', false),
      [`mutation.${place}1`]: entry('n', true),
      [`mutation.${place}2`]: entry('o', false),
      [`patch.${place}1`]: JSON.stringify({
        configuration: 'conf',
        webhook: 'n.example.com',
        patch,
        patchType: 'JSONPatch',
      }),
      [`failed-open.mutation.${place}2`]: 'o.example.com',
      'v.example.com/checked': 'twice',
    });
    const merge = { 'content-type': 'application/merge-patch+json', 'audit-id': 'again' };
    await request(audited.server, 'PATCH', `${configMaps}/c`, { metadata: { labels: { a: 'b' } } }, merge);
    const again = (await audited.events('again')).at(-1)?.annotations ?? {};
    assert.equal(again[`mutation.${place}1`], entry('n', false));
  });

  it('keeps the first of two values, and drops keys that are no names', async () => {
    const policy = { rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] }] };
    await using audited = await startAuditedServer({ policy });
    await using world = await startWebhookWorld({ server: audited.server });
    await world.configure('mutating', 'conf', { name: 'm', reinvocationPolicy: 'IfNeeded' }, { name: 'n' });
    let calls = 0;
    world.at('/m', (review, response) => {
      const auditAnnotations = { call: String(++calls), 'a/b': 'x', 'a b': 'x', é: 'x', '': 'x' };
      return respond({ auditAnnotations })(review, response);
    });
    world.at('/n', patchWith({ op: 'add', path: '/data', value: { a: '1' } }));
    const { headers } = await create(world, 'c');
    await until('the event', async () => (await audited.events(String(headers['audit-id']))).length > 0);
    const annotations = (await audited.events(String(headers['audit-id']))).at(-1)?.annotations ?? {};
    const own = Object.entries(annotations).filter(([key]) => key.startsWith('m.example.com'));
    assert.deepEqual([calls, own], [2, [['m.example.com/call', '1']]]);
  });

  it('does not say that a patch without effect changed the object', async () => {
    const policy = { rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] }] };
    await using audited = await startAuditedServer({ policy });
    await using world = await startWebhookWorld({ server: audited.server });
    await world.configure('mutating', 'conf', { name: 'm' });
    world.at('/m', patchWith({ op: 'test', path: '/kind', value: 'ConfigMap' }));
    const { headers } = await create(world, 'c');
    await until('the event', async () => (await audited.events(String(headers['audit-id']))).length > 0);
    const annotations = (await audited.events(String(headers['audit-id']))).at(-1)?.annotations ?? {};
    assert.match(annotations['mutation.webhook.admission.cl.io/round_0_index_0'] ?? '', /"mutated":false/);
  });
});

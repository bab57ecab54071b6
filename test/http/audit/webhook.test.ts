import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { TestServerOptions } from '../../../src/testing/index.ts';
import { answer, type SeenRequest, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { type LoggedEvent, startAuditedServer } from './audited-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Only requests of the tests are recorded, not those for metrics. */
const policy: JsonObject = {
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', verbs: ['list', 'create'], resources: [{ group: '', resources: ['configmaps'] }] }],
};
const batch = { bufferSize: 1_000, maxSize: 3, maxWaitMs: 30, throttle: undefined };

describe('the audit webhook', () => {
  let directory: string;
  let clientConfigFile: string;
  let receiver: TlsServer;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-audit-webhook-'));
    clientConfigFile = path.join(directory, 'config');
  });
  beforeEach(async () => {
    receiver = await startTlsServer();
    const { server, ca = '', cert = '', key = '' } = receiver.settings;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const config = {
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': base64(ca) } }],
      users: [{ name: 'u', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(clientConfigFile, JSON.stringify(config));
  });
  afterEach(() => receiver.stop());
  after(() => rm(directory, { recursive: true, force: true }));

  type WebhookChanges = Partial<NonNullable<TestServerOptions['auditWebhook']>>;
  const start = (changes: WebhookChanges = {}, recorded = policy) =>
    startAuditedServer({
      policy: recorded,
      auditWebhook: { clientConfigFile, batch, initialBackoffMs: 10, ...changes },
    });
  const lists = (): readonly (JsonObject & { readonly items: readonly LoggedEvent[] })[] =>
    receiver.seen.map(({ body }) => JSON.parse(body) as JsonObject & { readonly items: readonly LoggedEvent[] });
  const sent = (): readonly string[] => lists().flatMap(({ items }) => items.map(({ auditID }) => auditID));

  it('gets batches as EventLists, with the same events as the log', async () => {
    await using audited = await start({ batch: { ...batch, maxWaitMs: 2_000 } });
    for (const id of ['a', 'b', 'c', 'd']) {
      await request(audited.server, 'GET', configMaps, undefined, { 'audit-id': id });
    }
    await until('all events', () => sent().length === 4);
    assert.deepEqual(
      lists().map(({ items, ...list }) => [list, items.map(({ auditID }) => auditID).join('')]),
      ['abc', 'd'].map((ids) => [{ kind: 'EventList', apiVersion: 'audit.cl.io/v1', metadata: {} }, ids]),
    );
    const [logged] = await audited.events('a');
    assert.deepEqual({ kind: 'Event', apiVersion: 'audit.cl.io/v1', ...lists()[0]?.items[0] }, logged);
    assert.ok(receiver.seen.every(({ clientAuthorized, method }) => clientAuthorized && method === 'POST'));
  });

  it('gets a batch again after a failure that may pass, and may answer without a body', async () => {
    receiver.handle = (_: SeenRequest, response: ServerResponse): void => {
      if (receiver.seen.length === 1) answer(response, 500, {});
      else response.writeHead(204).end();
    };
    await using audited = await start();
    await request(audited.server, 'GET', configMaps, undefined, { 'audit-id': 'a' });
    await until('a second try', () => receiver.seen.length === 2);
    assert.deepEqual(sent(), ['a', 'a']);
    assert.equal((await readMetrics(audited.server)).get('apiserver_audit_error_total{plugin="webhook"}'), undefined);
  });

  it('delays no request in the mode batch, and loses what its buffer cannot hold', async () => {
    receiver.handle = () => new Promise(() => {});
    await using audited = await start({ batch: { ...batch, bufferSize: 3, maxWaitMs: 60_000 } });
    await Promise.all(Array.from({ length: 100 }, () => request(audited.server, 'GET', configMaps)));
    const metrics = await readMetrics(audited.server);
    // Sixteen deliveries of three events, and three in the buffer.
    assert.equal(metrics.get('apiserver_audit_error_total{plugin="buffered"}'), 100 - 16 * 3 - 3);
    await receiver.stop();
    receiver = await startTlsServer();
  });

  it('has each event before the response in the mode blocking, and delays a response until then', async () => {
    let release = (): void => {};
    receiver.handle = async (_, response) => {
      await new Promise<void>((resolve) => (release = resolve));
      answer(response, 200, {});
    };
    await using audited = await start({ mode: 'blocking' });
    let answered = false;
    const answering = request(audited.server, 'GET', configMaps).finally(() => (answered = true));
    await until('the event', () => receiver.seen.length === 1);
    assert.equal(answered, false);
    release();
    assert.equal((await answering).status, 200);
  });

  it('lets requests pass in the mode blocking if it is down, and none in blocking-strict', async () => {
    receiver.handle = (_, response) => answer(response, 400, {});
    const recorded = { ...policy, omitStages: [] };
    for (const [mode, status] of [
      ['blocking', 200],
      ['blocking-strict', 500],
    ] as const) {
      await using audited = await start({ mode }, recorded);
      assert.equal((await request(audited.server, 'GET', configMaps)).status, status);
      const metrics = await readMetrics(audited.server);
      assert.equal(metrics.get('apiserver_audit_error_total{plugin="webhook"}'), mode === 'blocking' ? 2 : 1);
    }
  });

  it('gets smaller batches if events are large', async () => {
    const truncate = { maxEventBytes: 100_000, maxBatchBytes: 25_000 };
    const recorded: JsonObject = { ...policy, rules: [{ level: 'Request', verbs: ['create'] }] };
    await using audited = await start({ truncate, batch: { ...batch, maxWaitMs: 2_000 } }, recorded);
    for (const name of ['a', 'b', 'c']) {
      const body = { metadata: { name }, data: { a: 'x'.repeat(10_000) } };
      await request(audited.server, 'POST', configMaps, body, { 'audit-id': name });
    }
    await until('all events', () => sent().length === 3);
    assert.deepEqual(
      lists().map(({ items }) => items.map(({ auditID }) => auditID).join('')),
      ['ab', 'c'],
    );
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { readEvents, startAuditedServer } from './audited-server.ts';
import { openPipe } from './open-pipe.ts';

const policy: JsonObject = { rules: [{ level: 'None', users: ['system:apiserver'] }, { level: 'Metadata' }] };
const lost = (plugin: string): string => `apiserver_audit_error_total{plugin="${plugin}"}`;
/** A device that is always full. */
const full = '/dev/full';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('modes of the audit log', () => {
  it('blocking writes an event before its response', async () => {
    await using audited = await startAuditedServer({ policy });
    for (let count = 0; count < 20; count++) {
      const { headers } = await request(audited.server, 'GET', configMaps);
      const events = await audited.events(String(headers['audit-id']));
      assert.deepEqual(
        events.map(({ stage }) => stage),
        ['RequestReceived', 'ResponseComplete'],
      );
    }
  });

  it('batch writes events later, all of them before the server has stopped', async () => {
    await using audited = await startAuditedServer({ policy, auditLog: { mode: 'batch' } });
    const responses = await Promise.all(Array.from({ length: 200 }, () => request(audited.server, 'GET', configMaps)));
    await audited.server.stop();
    const events = await readEvents(audited.logPath);
    for (const { headers } of responses) {
      assert.equal(events.filter(({ auditID }) => auditID === headers['audit-id']).length, 2);
    }
  });

  it('blocking and batch serve requests although the disk is full, and count the lost events', async () => {
    for (const mode of ['blocking', 'batch'] as const) {
      await using audited = await startAuditedServer({ policy, auditLog: { mode, path: full } });
      assert.equal((await request(audited.server, 'GET', configMaps)).status, 200);
      await until('a count', async () => ((await readMetrics(audited.server)).get(lost('log')) ?? 0) >= 2);
    }
  });

  it('blocking-strict refuses requests whose arrival cannot be written, before they do anything', async () => {
    const auditLog = { mode: 'blocking-strict', path: full } as const;
    const recordsWrites: JsonObject = { rules: [{ level: 'Metadata', verbs: ['create'], resources: [{ group: '' }] }] };
    await using audited = await startAuditedServer({ policy: recordsWrites, auditLog });
    const refused = await request(audited.server, 'POST', configMaps, { metadata: { name: 'one' } });
    assert.equal(refused.status, 500);
    assert.match(refused.text, /Internal Server Error: .*: failed to store audit event/);
    assert.equal((await request(audited.server, 'GET', `${configMaps}/one`)).status, 404);
    assert.equal((await readMetrics(audited.server)).get('apiserver_audit_requests_rejected_total'), 1);
  });

  it('blocking delays requests while the reader of a pipe waits, and batch drops and counts what waits too long', async () => {
    const batch = { bufferSize: 10, maxSize: 1, maxWaitMs: 0, throttle: undefined };
    const rules: JsonObject[] = [{ level: 'None', nonResourceURLs: ['*'] }, { level: 'Metadata' }];
    for (const mode of ['blocking', 'batch'] as const) {
      await using pipe = await openPipe();
      await using audited = await startAuditedServer({ policy: { rules }, auditLog: { mode, batch, path: pipe.path } });
      const dropped = async (): Promise<number> => (await readMetrics(audited.server)).get(lost('buffered')) ?? 0;
      let answered = 0;
      const send = async (_: unknown, index: number): Promise<void> => {
        // More than a pipe takes.
        const headers = { 'audit-id': `r-${index}`, 'user-agent': 'x'.repeat(1000) };
        assert.equal((await request(audited.server, 'GET', configMaps, undefined, headers)).status, 200);
        answered++;
      };
      const requests = Array.from({ length: mode === 'batch' ? 300 : 100 }, send);
      if (mode === 'batch') await Promise.all(requests);
      const isBlocked = (await dropped()) === 0 && answered < requests.length;
      const reading = pipe.read();
      await Promise.all(requests);
      assert.equal(isBlocked, mode === 'blocking');
      const count = await dropped();
      assert.equal(count > 0, mode === 'batch');
      await audited.server.stop();
      const events = (await reading.end()).filter(({ auditID }) => auditID.startsWith('r-'));
      assert.equal(events.length, 2 * requests.length - count);
    }
  });

  it('truncation drops the objects of large events', async () => {
    const truncate = { maxEventBytes: 3_000, maxBatchBytes: 10_000 };
    await using audited = await startAuditedServer({
      policy: { rules: [{ level: 'Request' }] },
      auditLog: { truncate },
    });
    const body = (bytes: number) => ({ metadata: { generateName: 'a-' }, data: { a: 'x'.repeat(bytes) } });
    const objectOf = async (bytes: number) => {
      const { headers } = await request(audited.server, 'POST', configMaps, body(bytes));
      return (await audited.events(String(headers['audit-id'])))[1];
    };
    assert.ok((await objectOf(1_000))?.requestObject);
    const short = await objectOf(5_000);
    assert.equal(short?.requestObject, undefined);
    assert.equal(short?.annotations?.['audit.cl.io/truncated'], 'true');
    const names = Object.keys(short.annotations);
    assert.deepEqual(names, names.toSorted());
    await request(audited.server, 'GET', `${configMaps}?fieldManager=${'x'.repeat(4_000)}`);
    assert.equal((await readMetrics(audited.server)).get(lost('truncate')), 2);
  });

  it('the format legacy has a line of text for each event', async () => {
    await using audited = await startAuditedServer({ policy, auditLog: { format: 'legacy' } });
    const impersonation = { 'audit-id': 'one', 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
    await request(audited.server, 'GET', `${configMaps}?limit=1`, undefined, impersonation);
    const lines = (await readFile(audited.logPath, 'utf8')).split('\n').filter((line) => line.includes('id="one"'));
    const user = String.raw`user="admin" groups="\"system:masters\",\"system:authenticated\""`;
    const as = String.raw`as="bob" asgroups="\"system:masters\",\"system:authenticated\""`;
    const head = 'ip="127.0.0.1" method="list"';
    const tail = `namespace="default" uri="${configMaps}?limit=1"`;
    assert.deepEqual(
      lines.map((line) => line.replace(/^\S+ /, '')),
      [
        `AUDIT: id="one" stage="RequestReceived" ${head} ${user} as="<self>" asgroups="<lookup>" ${tail} response="<deferred>"`,
        `AUDIT: id="one" stage="ResponseComplete" ${head} ${user} ${as} ${tail} response="200"`,
      ],
    );
  });

  it('refuses to start with a policy that is not valid', async () => {
    await assert.rejects(
      startAuditedServer({ policy: { rules: [{}, {}] } }),
      /^Error: loading audit policy file: \[rules\[0\]\.level: Required value, rules\[1\]\.level: Required value\]: from file /,
    );
    await assert.rejects(
      startAuditedServer({ policy: { rules: [{ level: 'None', verbs: 'get' }] } }),
      /rules\[0\]\.verbs/,
    );
    await assert.rejects(startAuditedServer({ policy: {} }), /loaded illegal policy with 0 rules/);
    const wrong = startAuditedServer({ policy: { rules: [{ level: 'All' }] } });
    await assert.rejects(wrong, /rules\[0\]\.level: Unsupported value: "All"/);
    await assert.rejects(
      startServer({ auditPolicyFile: '/none', auditLog: { path: '-' } }),
      /^Error: loading audit policy file: failed to read file path "\/none": ENOENT/,
    );
  });
});

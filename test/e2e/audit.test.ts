import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LoggedEvent, readEvents } from '../http/audit/audited-server.ts';
import { request } from '../http/http-client.ts';
import { openWatch } from '../http/reads/open-watch.ts';
import { until } from '../http/until.ts';
import { type ServerProcess, startServerProcess } from '../robustness/server-process.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const merge = { 'content-type': 'application/merge-patch+json' };
/** In each place of a request where a secret can be. */
const canary = 'canary-0f9c';
const clientCount = 8;

describe('the audit log of a real server', () => {
  let directory: string;
  let logPath: string;
  let server: ServerProcess | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-e2e-audit-'));
    logPath = path.join(directory, 'audit.log');
  });
  afterEach(async () => {
    await server?.kill();
    server = undefined;
    await rm(directory, { recursive: true, force: true });
  });

  async function start(...flags: string[]): Promise<ServerProcess> {
    const policyFile = path.join(directory, 'policy.yaml');
    await writeFile(policyFile, 'apiVersion: audit.cl.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
    const audit = [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logPath}`];
    server = await startServerProcess({ directory, etcdEndpoints: [], flags: [...audit, ...flags] });
    return server;
  }

  /** Sends writes from several clients and kills the server after some. Returns the answered audit IDs in order. */
  async function writeAndKill(target: ServerProcess): Promise<readonly string[]> {
    const answered: string[] = [];
    const client = async (_: unknown, number: number): Promise<void> => {
      for (let count = 0; ; count++) {
        const id = `w-${number}-${count}`;
        const body = { metadata: { name: id } };
        try {
          const { status } = await request(target, 'POST', configMaps, body, { 'audit-id': id });
          assert.equal(status, 201);
          answered.push(id);
        } catch {
          // The server was killed.
          return;
        }
      }
    };
    const clients = Promise.all(Array.from({ length: clientCount }, client));
    await until('some answers', () => answered.length >= 60);
    await target.kill();
    await clients;
    return answered;
  }

  /** The audit IDs of recorded ends. A last line that was torn by the end of the process does not count. */
  async function recordedEnds(): Promise<ReadonlySet<string>> {
    const lines = (await readFile(logPath, 'utf8')).split('\n').slice(0, -1);
    // The fields are those of events.
    const events = lines.map((line) => JSON.parse(line) as LoggedEvent);
    return new Set(events.filter(({ stage }) => stage === 'ResponseComplete').map(({ auditID }) => auditID));
  }

  for (const mode of ['blocking-strict', 'blocking'] as const) {
    it(`has every answered request in the mode ${mode} when the server is killed`, async () => {
      const target = await start(`--audit-log-mode=${mode}`);
      const answered = await writeAndKill(target);
      const recorded = await recordedEnds();
      assert.deepEqual(
        answered.filter((id) => !recorded.has(id)),
        [],
      );
    });
  }

  it('lacks at most the last requests in the mode batch when the server is killed', async () => {
    const target = await start('--audit-log-mode=batch');
    const answered = await writeAndKill(target);
    const recorded = await recordedEnds();
    // Each client waits for its answer, and a batch is written before the answers of the next turn.
    const lost = answered.slice(0, -2 * clientCount).filter((id) => !recorded.has(id));
    assert.deepEqual(lost, []);
  });

  it('has each request once in ResponseComplete, and no secret at level Metadata', async () => {
    const target = await start('--audit-log-mode=batch');
    let count = 0;
    const ids: string[] = [];
    const send = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) => {
      const id = `r-${count++}`;
      ids.push(id);
      return await request(target, method, url, body, { 'audit-id': id, ...headers });
    };
    const round = async (_: unknown, number: number): Promise<void> => {
      const name = `s-${number}`;
      await send('POST', secrets, { metadata: { name }, stringData: { a: canary }, data: { b: btoa(canary) } });
      await send('POST', secrets, { metadata: { name: 'Bad' }, stringData: { a: canary }, type: canary });
      await send('POST', secrets, `{"metadata":{"name":"${canary}`);
      await send('GET', `${secrets}/${name}`);
      await send('GET', secrets, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.cl.io' });
      await send('PATCH', `${secrets}/${name}`, { stringData: { c: canary } }, merge);
      await send('PUT', `${secrets}/${name}`, { metadata: { name }, data: { b: btoa(canary) } });
      await send('PATCH', `${secrets}/${name}`, { data: { [canary]: 1 } }, merge);
      const review = { spec: { token: canary } };
      await send('POST', '/apis/authentication.cl.io/v1/tokenreviews', review);
      await send('GET', secrets, undefined, { cookie: canary, 'x-secret': canary });
      await send('GET', `${configMaps}/none`, undefined, { 'impersonate-user': 'bob' });
      await send('OPTIONS', secrets);
      await send('GET', '/readyz');
      await send('GET', '/nowhere');
      await send('DELETE', `${secrets}/${name}`);
    };
    await Promise.all(Array.from({ length: clientCount }, round));
    const refused = await request(target, 'GET', secrets, undefined, {
      authorization: `Bearer ${canary}`,
      'audit-id': 'refused',
    });
    assert.equal(refused.status, 401);
    const watch = await openWatch(target, `${secrets}?watch=1`, { 'audit-id': 'watch' });
    watch.stop();
    const held = await openWatch(target, `${secrets}?watch=1`, { 'audit-id': 'held' });
    await target.stop();
    await held.ended.catch(() => false);
    const text = await readFile(logPath, 'utf8');
    assert.doesNotMatch(text, new RegExp(canary));
    assert.ok(!text.includes(btoa(canary).slice(0, 12)));
    const events = await readEvents(logPath);
    const ends = new Map<string, number>();
    for (const { auditID, stage } of events) {
      if (stage === 'ResponseComplete') ends.set(auditID, (ends.get(auditID) ?? 0) + 1);
    }
    const wrong = [...ids, 'watch', 'held'].filter((id) => ends.get(id) !== 1);
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      events.filter(({ auditID }) => auditID === 'refused').map(({ stage }) => stage),
      ['ResponseStarted'],
    );
  });
});

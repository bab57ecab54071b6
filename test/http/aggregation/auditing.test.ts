import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEvents } from '../audit/audited-server.ts';
import { readEvents as openWatch, request } from '../http-client.ts';
import { until } from '../until.ts';
import { startAggregatedWorld } from './aggregated-world.ts';

const group = 'things.example.com';
const things = `/apis/${group}/v1/namespaces/default/things`;

describe('a request that is passed on', () => {
  it('is in the audit log, with the status of the other server', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'aggregated-audit-'));
    const auditPolicyFile = path.join(directory, 'policy.json');
    const policy = { apiVersion: 'audit.cl.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
    await writeFile(auditPolicyFile, JSON.stringify(policy));
    const logPath = path.join(directory, 'audit.log');
    await using world = await startAggregatedWorld({ auditPolicyFile, auditLog: { path: logPath } });
    await world.serve(group);
    world.at(`${things}/teapot`, (_, response) => response.writeHead(418).end());
    const answer = await request(world.server, 'GET', `${things}/teapot`);
    assert.equal(answer.status, 418);
    const id = String(answer.headers['audit-id']);
    const recorded = async () => (await readEvents(logPath)).filter(({ auditID }) => auditID === id);
    await until('the last event', async () => (await recorded()).at(-1)?.stage === 'ResponseComplete');
    const last = (await recorded()).at(-1);
    assert.equal(last?.verb, 'get');
    assert.equal(last.responseStatus?.['code'], 418);
    assert.equal(last.objectRef?.['apiGroup'], group);
    assert.equal(world.forwarded().at(-1)?.headers['audit-id'], id);

    world.at(things, (_, response) => void response.writeHead(200).write('{}\n'));
    const watch = openWatch(world.server, `${things}?watch=1`);
    const ofWatch = async () => (await readEvents(logPath)).filter(({ verb }) => verb === 'watch');
    await until('the start of the watch', async () => (await ofWatch()).at(-1)?.stage === 'ResponseStarted');
    watch.stop();
    await until('the end of the watch', async () => (await ofWatch()).at(-1)?.stage === 'ResponseComplete');
    await rm(directory, { recursive: true });
  });
});

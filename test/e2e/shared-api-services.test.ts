import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { TLSSocket } from 'node:tls';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt } from '../../src/meta/read-field.ts';
import { startServer } from './start-server.ts';
import { apiServices, startAggregatedWorld } from '../http/aggregation/aggregated-world.ts';
import { readEvents, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { auditFlags, checkAuditLogs } from './audit-check.ts';
import { startTestEtcd } from './local-store.ts';
import { onNewConnection, startWorkers } from './worker-processes.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };

describe('the APIServices of servers on one etcd', () => {
  it('are not written again and again by servers that disagree', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using world = await startAggregatedWorld({ store });
    const group = 'disputed.example.com';
    // The second server shows no certificate, and is refused.
    world.at(`/apis/${group}/v1`, (asked, response) => {
      response.writeHead(hasCertificate(asked.socket) ? 200 : 401).end('{}');
    });
    await world.serve(group);
    const watch = readEvents(world.server, `${apiServices}?watch=1&fieldSelector=metadata.name%3Dv1.${group}`);
    await until('the watch', () => watch.events.length === 1);
    await using other = await startServer({ store, serviceResolver: 'cluster-ip' });
    await until('the other server to ask', () => world.seen.some(({ client }) => client === undefined));
    const before = world.seen.length;
    await until('many more checks', () => world.seen.length > before + 20);
    assert.ok(watch.events.length <= 3, `${watch.events.length} events`);
    assert.ok(other.url);
    watch.stop();
  });

  it('are passed on by every worker of a server', async () => {
    await using etcd = await startTestEtcd();
    await using world = await startAggregatedWorld({ store: { kind: 'etcd', servers: [etcd.endpoint] } });
    const group = 'metrics.example.com';
    await world.serve(group);
    await writeFile(`${etcd.directory}/tokens.csv`, 'secret,ann,7,"system:masters"\n');
    const flags = ['--service-resolver=cluster-ip', ...(await auditFlags(etcd.directory))];
    const workers = await startWorkers(etcd.directory, etcd.endpoint, ...flags);
    try {
      await until('all workers to know that it is available', async () => {
        const asked = await Promise.all([1, 2, 3, 4].map(() => onNewConnection(workers, `/apis/${group}/v1/things`)));
        return asked.every(({ status }) => status === 200);
      });
    } finally {
      const exited = once(workers.child, 'exit');
      workers.child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
    }
    await checkAuditLogs(etcd.directory, [workers.token]);
  });

  it('of built-in versions are reset by the next start', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    const path = `${apiServices}/v1.coordination.cl.io`;
    const specOf = async (server: Parameters<typeof request>[0]): Promise<JsonObject> =>
      objectAt((await request(server, 'GET', path)).body as JsonObject, 'spec');
    const wanted = { group: 'coordination.cl.io', version: 'v1', groupPriorityMinimum: 16_500, versionPriority: 15 };
    {
      await using server = await startServer({ store });
      assert.deepEqual(await specOf(server), wanted);
      const service = { namespace: 'default', name: 'thief', port: 443 };
      const taken = { spec: { service, insecureSkipTLSVerify: true } };
      assert.equal((await request(server, 'PATCH', path, taken, mergePatch)).status, 200);
      assert.equal((await request(server, 'DELETE', `${apiServices}/v1.batch`)).status, 200);
    }
    await using server = await startServer({ store });
    assert.deepEqual(await specOf(server), wanted);
    assert.equal((await request(server, 'GET', `${apiServices}/v1.batch`)).status, 200);
  });
});

function hasCertificate(socket: object): boolean {
  return socket instanceof TLSSocket && socket.getPeerCertificate().subject !== undefined;
}

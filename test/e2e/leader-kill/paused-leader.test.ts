import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { builtInResources, type Client, createClient } from '../../../src/client/index.ts';
import { nowMicroTime } from '../../../src/meta/time.ts';
import { clientConfigText } from '../../../src/testing/client-config-text.ts';
import { readEvents, startAuditedServer } from '../../http/audit/audited-server.ts';
import { until } from '../../http/until.ts';
import { type ManagerProcess, startManager } from './manager-process.ts';

const { configmaps, leases, namespaces, nodes, serviceaccounts } = builtInResources('cluster');
const patience = 300_000;
const users = ['first', 'second'];

/** A sign of life of the node. */
async function renew(client: Client): Promise<void> {
  const spec = { holderIdentity: 'node', renewTime: nowMicroTime() };
  await client.resource(nodes).patch('node', { status: { conditions } }, { type: 'merge', subresource: 'status' });
  const options = { type: 'apply', fieldManager: 'test', force: true, namespace: 'cl-node-lease' } as const;
  const apiVersion = 'coordination.cl.io/v1';
  await client.resource(leases).patch('node', { apiVersion, kind: 'Lease', spec }, options);
}

const conditions = [{ type: 'Ready', status: 'True' }];

describe('a leader that is stopped for longer than its lease', function () {
  this.timeout(900_000);
  const managers: ManagerProcess[] = [];
  let renewal: NodeJS.Timeout | undefined;
  afterEach(async () => {
    clearInterval(renewal);
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
  });

  it('writes nothing when it goes on, until it leads again', async () => {
    await using audited = await startAuditedServer({
      policy: { rules: [{ level: 'Metadata', users, verbs: ['create', 'update', 'patch', 'delete'] }] },
      tokens: users.map((username) => ({ token: `${username}-token`, username, groups: ['system:masters'] })),
    });
    const { server, directory, logPath } = audited;
    const client = createClient(server.connection);
    const start = async (user: string, flags: readonly string[]) => {
      const file = path.join(directory, user);
      await writeFile(file, clientConfigText({ server: server.url, ca: server.ca, token: `${user}-token` }), {
        mode: 0o600,
      });
      const manager = startManager(file, flags);
      managers.push(manager);
      return manager;
    };
    const accountIn = (namespace: string) =>
      until(
        `the account in ${namespace}`,
        async () => (await client.resource(serviceaccounts).list({ namespace })).items.length > 0,
        patience,
      );
    await client.resource(nodes).create({ metadata: { name: 'node' } });
    renewal = setInterval(() => void renew(client).catch(() => undefined), 200);
    // When it goes on, the node has been silent for longer than that, as far as it has seen.
    const first = await start('first', ['--node-monitor-period=50ms', '--node-monitor-grace-period=5s']);
    await until('the first to lead', () => first.leads, patience);
    await client.resource(namespaces).create({ metadata: { name: 'before' } });
    await accountIn('before');
    const second = await start('second', []);
    first.pause();
    try {
      await until('the second to lead', () => second.leads, patience);
      // Work that the first sees when it goes on: accounts, a collection, a namespace that ends.
      const owner = await client.resource(configmaps).create({ metadata: { name: 'owner' } }, { namespace: 'before' });
      const { uid = '' } = owner.metadata ?? {};
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
      const dependents = Array.from({ length: 20 }, (_, index) => `dependent-${index}`);
      for (const name of dependents) {
        await client.resource(configmaps).create({ metadata: { name, ownerReferences } }, { namespace: 'before' });
      }
      await client.resource(configmaps).delete('owner', { namespace: 'before' });
      for (const name of ['one', 'two', 'three']) await client.resource(namespaces).create({ metadata: { name } });
      for (const name of ['one', 'two', 'three']) await accountIn(name);
    } finally {
      first.resume();
    }
    const resumedMs = Date.now();
    await until('the first to notice', () => first.hasLost, patience);
    assert.ok(second.leads, 'the second leads on');
    const written = (await readEvents(logPath)).filter(
      ({ user, stage, requestReceivedTimestamp }) =>
        user['username'] === 'first' &&
        stage === 'ResponseComplete' &&
        Date.parse(requestReceivedTimestamp) >= resumedMs,
    );
    assert.deepEqual(
      written.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
      [],
    );
    clearInterval(renewal);
    await Promise.all(managers.map((manager) => manager.stop()));
    await client.close();
  });
});

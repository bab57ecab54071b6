import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from '../../src/server/index.ts';
import { respond, rule, startWebhookWorld, type WebhookWorld } from './admission/webhook-world.ts';
import { request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { configMaps } from './reads/world.ts';
import { until } from './until.ts';

/** An identity Lease of a server. */
interface IdentityLease {
  readonly spec: { readonly leaseDurationSeconds: number; readonly renewTime: string };
}

describe('a server with flags of operators', () => {
  let directory: string;
  let world: WebhookWorld;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-flags-'));
    const manifest = path.join(directory, 'labels.yaml');
    await writeFile(manifest, 'apiserver_request_total,verb: GET,LIST\n');
    world = await startWebhookWorld({
      emulatedRelease: '1.36',
      allowMetricLabelsManifest: manifest,
      deleteCollectionWorkers: 1,
      identityLeaseSeconds: 77,
      identityRenewSeconds: 1,
      refuseUntilReady: true,
      shutdownWatchGraceMs: 2_000,
      tokens: [{ token: 'ann', username: 'ann', groups: ['system:masters'] }],
    });
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('deletes the objects of a collection by its number of workers', async () => {
    let [running, most] = [0, 0];
    world.at('/slow', async (review, response) => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
      await respond({})(review, response);
    });
    const deletions = { ...rule('', 'configmaps'), operations: ['DELETE'] };
    await world.configure('validating', 'slow', { name: 'slow', rules: [deletions] });
    const create = (name: string) => request(world.server, 'POST', configMaps, { metadata: { name } });
    await until('the webhook', async () => {
      await create('first');
      await request(world.server, 'DELETE', `${configMaps}/first`);
      return world.seen.length > 0;
    });
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    const before = world.seen.length;
    assert.equal((await request(world.server, 'DELETE', configMaps)).status, 200);
    assert.ok(world.seen.length >= before + 4);
    assert.equal(most, 1);
  });

  it('keeps its Lease as long and as often as its flags say', async () => {
    const leases = '/apis/coordination.cl.io/v1/namespaces/cl-system/leases';
    const read = async (): Promise<IdentityLease | undefined> => {
      const { body } = await request(world.server, 'GET', leases);
      return (body as { readonly items: readonly IdentityLease[] }).items[0];
    };
    let first: IdentityLease | undefined;
    await until('the Lease', async () => (first = await read()) !== undefined);
    assert.equal(first?.spec.leaseDurationSeconds, 77);
    let last = Date.parse(first?.spec.renewTime ?? '');
    await until('two renewals that are closer than those by default', async () => {
      const previous = last;
      last = Date.parse((await read())?.spec.renewTime ?? '');
      return last > previous && last - previous < 9_000;
    });
  });

  it('shows the values of labels in the file', async () => {
    await request(world.server, 'GET', `${configMaps}/none`);
    const names = [...(await readMetrics(world.server)).keys()];
    const verbs = names.flatMap((name) => /^apiserver_request_total.*verb="(\w+)"/.exec(name)?.[1] ?? []);
    assert.deepEqual([...new Set(verbs)].toSorted(), ['GET', 'LIST', 'unexpected']);
  });

  it('refuses requests with a time to come back until it is ready, but those of administrators and probes', async () => {
    assert.equal((await request(world.server, 'GET', '/api')).status, 200);
    const tokens = [
      { token: 'ann', username: 'ann' },
      { token: 'root', username: 'root', groups: ['system:masters'] },
    ];
    const store = { kind: 'etcd', servers: ['http://127.0.0.1:1'] } as const;
    const waiting = await createServer({ refuseUntilReady: true, tokens, store });
    try {
      const ask = (url: string, token: string) =>
        request({ url: waiting.url, ca: waiting.ca, token }, 'GET', url, undefined, {
          authorization: `Bearer ${token}`,
        });
      const refused = await ask('/api', 'ann');
      assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5']);
      assert.equal(refused.text, "The apiserver hasn't been fully initialized yet, please try again later.\n");
      assert.equal((await ask('/api', 'root')).status, 200);
      assert.notEqual((await ask('/readyz', 'ann')).headers['retry-after'], '5');
    } finally {
      await waiting.close();
    }
  });

  it('ends watches one after the other while it stops', async () => {
    const { url, ca, token } = world.server;
    const headers = { authorization: `Bearer ${token}` };
    let ended = 0;
    const watches = Array.from({ length: 40 }, async () => {
      const asked = get(`${url}${configMaps}?watch=true`, { ca, headers, agent: false });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume().on('error', () => {});
      return once(response, 'close').then(() => ended++);
    });
    const open = 'apiserver_longrunning_requests{component="apiserver",group="",resource="configmaps"';
    await until('the watches', async () => {
      const found = [...(await readMetrics(world.server))].find(([name]) => name.startsWith(open));
      return found?.[1] === watches.length;
    });
    const stopped = world.server.stop();
    await until('the first end', () => ended > 0);
    assert.ok(ended < watches.length, 'others go on for a while');
    await Promise.all(watches);
    await stopped;
  });
});

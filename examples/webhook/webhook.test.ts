import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInResources, createClient } from 'cl-apiserver/client';
import { startServer } from 'cl-apiserver/testing';
import { configurations } from './configurations.js';
import { serveWebhooks } from './serve-webhooks.js';

const { deployments, mutatingwebhookconfigurations, validatingwebhookconfigurations } = builtInResources();

it('labels Deployments, and refuses those with one replica', async () => {
  const tls = makeCertificate();
  const webhooks = serveWebhooks(tls).listen(0, '127.0.0.1');
  await once(webhooks, 'listening');
  const server = await startServer();
  const client = createClient(server.connection);
  const { mutating, validating } = configurations(
    `https://localhost:${(webhooks.address() as AddressInfo).port}`,
    tls.cert,
  );
  await client.resource(mutatingwebhookconfigurations).create(mutating);
  await client.resource(validatingwebhookconfigurations).create(validating);

  const create = (name: string, replicas: number, dryRun = false) =>
    client.resource(deployments).create(deployment(name, replicas), { dryRun });
  // A configuration takes effect within a second.
  const isRefused = () =>
    create('web', 1, true).then(
      () => false,
      () => true,
    );
  while (!(await isRefused())) await sleep(10);

  await assert.rejects(create('web', 1), /spec\.replicas: one is not enough/);
  assert.deepEqual((await create('web', 2)).metadata?.labels, { app: 'web', team: 'unknown' });
  await client.close();
  await server.stop();
  webhooks.close();
});

function makeCertificate() {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-'));
  execFileSync('sh', [path.resolve('make-certificate.sh')], { cwd: folder, stdio: 'ignore' });
  const [key, cert] = ['tls.key', 'tls.crt'].map((name) => readFileSync(path.join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  return { key: key ?? '', cert: cert ?? '' };
}

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: 'example.com/web' }] } };
  return { metadata: { name, labels }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

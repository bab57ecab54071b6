import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInResources, type Client, createClient, createQueueMetrics } from 'cl-apiserver/client';
import { startServer, type TestServer } from 'cl-apiserver/testing';
import { parse } from 'yaml';
import { formatMetrics } from './format-metrics.js';
import { greetings, runGreeter } from './greeter.js';

const { configmaps, customresourcedefinitions, events } = builtInResources();
const metrics = createQueueMetrics();
const stop = new AbortController();
let server: TestServer;
let client: Client;
let running: Promise<void>;

before(async () => {
  server = await startServer();
  client = createClient(server.connection);
  const definition = parse(await readFile(new URL('../greetings.crd.yaml', import.meta.url), 'utf8'));
  await client.resource(customresourcedefinitions).create(definition);
  await until(() =>
    client
      .resource(greetings)
      .list()
      .then(
        () => true,
        () => false,
      ),
  );
  running = runGreeter(client, stop.signal, metrics);
});
after(async () => {
  stop.abort();
  await running;
  await client.close();
  await server.stop();
});

it('keeps a ConfigMap with the text of a Greeting', async () => {
  await client
    .resource(greetings)
    .create({ apiVersion: 'example.com/v1', kind: 'Greeting', metadata: { name: 'hello' }, spec: { text: 'hi' } });
  await until(async () => (await text()) === 'hi');
  await client.resource(greetings).patch('hello', { spec: { text: 'good day' } }, { type: 'merge' });
  await until(async () => (await text()) === 'good day');
  await client.resource(configmaps).delete('hello');
  await until(async () => (await text()) === 'good day');
});

it('says in an Event and in its metrics that it worked', async () => {
  await until(async () => (await client.resource(events).list()).items.some(({ reason }) => reason === 'Greeted'));
  assert.match(formatMetrics(metrics.families), /workqueue_adds_total\{name="greeter"\} [1-9]/);
});

async function text(): Promise<string | undefined> {
  const found = await client
    .resource(configmaps)
    .get('hello')
    .catch(() => undefined);
  return found?.data?.['text'];
}

/** Waits until a condition holds: a controller works some time after a write. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

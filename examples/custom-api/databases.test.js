import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInResources, createClient } from 'cl-apiserver/client';
import { startServer } from 'cl-apiserver/testing';
import { parse } from 'yaml';

const databases = { group: 'example.com', version: 'v1', resource: 'databases' };
let server;
let client;

before(async () => {
  // Rules of validation are served by release 1.25 and later.
  server = await startServer({ emulatedRelease: '1.25' });
  client = createClient(server.connection);
  const definition = parse(await readFile(new URL('databases.crd.yaml', import.meta.url), 'utf8'));
  await client.resource(builtInResources().customresourcedefinitions).create(definition);
  const isServed = () =>
    client
      .resource(databases)
      .list()
      .then(
        () => true,
        () => false,
      );
  while (!(await isServed())) await sleep(10);
});
after(async () => {
  await client.close();
  await server.stop();
});

const create = (name, spec) =>
  client.resource(databases).create({ apiVersion: 'example.com/v1', kind: 'Database', metadata: { name }, spec });

it('fills in defaults', async () => {
  assert.equal((await create('small', { sizeGiB: 1 })).spec.replicas, 1);
});

it('refuses more copies than fit', async () => {
  await assert.rejects(create('crowded', { sizeGiB: 2, replicas: 3 }), /a copy needs 1 GiB/);
});

it('refuses to shrink', async () => {
  await create('large', { sizeGiB: 10 });
  const shrink = client.resource(databases).patch('large', { spec: { sizeGiB: 5 } }, { type: 'merge' });
  await assert.rejects(shrink, /a disk does not shrink/);
});

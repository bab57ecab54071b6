// Run with `--expose-gc`: prints the bytes of JSON of 10,000 objects, and those of the informer that holds them. With the
// argument `small` they are as small as objects of the API can be.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, createInformerFactory } from '../../../src/client/index.ts';
import { idleConnections } from '../../idle-connections.ts';

const [count, pageSize] = [10_000, 500];

/** A ConfigMap of some size, with the managed fields that a server keeps. */
const objectOf = (index: number) => ({
  metadata: {
    name: `settings-${index}`,
    namespace: `namespace-${index % 50}`,
    uid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(100_000 + index),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: `app-${index % 100}`, team: `team-${index % 7}` },
    managedFields: [
      {
        manager: 'helm',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:data': { '.': {}, 'f:first': {}, 'f:second': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        },
      },
    ],
  },
  data: { first: `value ${index}`, second: 'x'.repeat(index % 200) },
});

const smallObjectOf = (index: number) => {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectOf(index).metadata;
  return { metadata: { name, namespace, uid, resourceVersion, creationTimestamp }, data: { key: `value ${index}` } };
};

const createObject = process.argv[2] === 'small' ? smallObjectOf : objectOf;
let bytes = 0;
const server = createServer(idleConnections, ({ url = '' }, response) => {
  const query = new URL(url, 'http://server').searchParams;
  if (query.has('watch')) return response.flushHeaders();
  const start = Number(query.get('continue') ?? 0);
  const next = start + pageSize < count ? { continue: String(start + pageSize) } : {};
  const items = Array.from({ length: pageSize }, (_, index) => createObject(start + index));
  const text = JSON.stringify({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '5', ...next },
    items,
  });
  bytes += text.length;
  return response.end(text);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const client = createClient({ server: `http://127.0.0.1:${port}`, namespace: 'default' });
const reference = { group: '', version: 'v1', resource: 'configmaps' };
await client.resource(reference).list();
bytes = 0;
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const stop = new AbortController();
const informer = createInformerFactory(client, { signal: stop.signal }).informer(reference);
await informer.synced();
globalThis.gc?.();
const held = process.memoryUsage().heapUsed - before;
console.log(JSON.stringify({ objects: informer.list().length, bytes, held }));
stop.abort();
await client.close();
server.closeAllConnections();
server.close();

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { forceFullCollection } from '../../../src/process/force-full-collection.ts';
import { threadCpuMs } from '../../thread-cpu.ts';
import { longestBlockMs, measureBlocks } from '../../robustness/large-bodies/loop-blocks.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { withoutAges } from './without-ages.ts';
import { type ListClient, openListClients } from './list-clients.ts';

const collection = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const yaml = 'application/yaml';
const shapes: readonly [name: string, accept: string, query: string][] = [
  ['objects', 'application/json', ''],
  ['Tables', 'application/json;as=Table;v=v1;g=meta.k8s.io', ''],
  ['Tables with objects', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'includeObject=Object'],
  ['metadata', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', ''],
];

const awkward = {
  lines: 'a\n\n  b \n',
  keep: 'a\n\n\n',
  quoted: '"\n: #',
  number: '0x1F',
  '...': '---',
  'with.dots': 'yes',
  separators: 'a\u2028b\r\nc\t',
};

/**
 * Namespaces and what they hold: no object, one, some of all sizes, and so many that the answer is
 * streamed.
 */
const worlds: readonly [namespace: string, objects: readonly object[]][] = [
  ['none', []],
  ['one', [awkward]],
  ['some', [awkward, {}, { text: 'x'.repeat(20_000) }, manyFields(500), awkward]],
  ['many', Array.from({ length: 200 }, (_, index) => ({ ...awkward, text: 'y'.repeat(index * 10) }))],
];

function manyFields(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, `value\n${index}`]));
}

describe('lists in other forms than plain JSON', () => {
  let server: Fixture;
  let clients: readonly ListClient[];

  before(async () => {
    server = await startFixture();
    for (const [namespace, objects] of worlds) {
      for (const [index, data] of objects.entries()) await server.configMap(`m${index}`, { namespace, data });
    }
    clients = await openListClients(server);
  });
  after(async () => {
    for (const client of clients) await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const [namespace] of worlds) {
    for (const [shape, accept, query] of shapes) {
      it(`are byte for byte what one piece would be: ${shape}, ${namespace}`, async () => {
        const path = `${collection(namespace)}?${query}`;
        for (const client of clients) {
          const plain = (await client.read(path, { accept })).toString();
          // The answers of this server are JSON.
          const value = JSON.parse(plain) as JsonValue;
          assert.equal(plain, `${JSON.stringify(value)}\n`, client.name);
          const indented = await client.read(`${path}&pretty=1`, { accept });
          assert.equal(withoutAges(indented.toString()), withoutAges(JSON.stringify(value, null, 2)), client.name);
          const asYaml = await client.read(path, { accept: accept.replace('application/json', yaml) });
          assert.equal(withoutAges(asYaml.toString()), withoutAges(encodeYaml(value)), client.name);
        }
      });
    }
  }

  it('are the same for one large object', async () => {
    await server.configMap('large', { namespace: 'large', data: manyFields(3_000) });
    const path = `${collection('large')}/large`;
    for (const client of clients) {
      // The answers of this server are JSON.
      const value = JSON.parse((await client.read(path)).toString()) as JsonValue;
      assert.equal((await client.read(path, { accept: yaml })).toString(), encodeYaml(value), client.name);
    }
    const head = await server.send({ method: 'HEAD', path, headers: { accept: yaml } });
    assert.deepEqual([head.status, head.headers['content-type'], head.text], [200, yaml, '']);
  });

  it('announce their length where they are short', async () => {
    const response = await server.send({ path: `${collection('some')}?pretty=1` });
    assert.equal(Number(response.headers['content-length']), response.bytes.length);
  });
});

/** Memory of the world that large lists are made of. */
const largeObjects = 20;
const largeBytes = 200_000;

describe('large lists in other forms than plain JSON', () => {
  let server: Fixture;
  const path = collection('large');

  before(async () => {
    server = await startFixture();
    const data = manyFields(Math.round(largeBytes / 40));
    for (let index = 0; index < largeObjects; index++) {
      await server.configMap(`m${index}`, { namespace: 'large', data });
    }
    await server.configMap('largest', { namespace: 'largest', data: manyFields(40_000) });
    for (let index = 0; index < 1_000; index++) await server.configMap(`m${index}`, { namespace: 'many' });
    await server.send({ path });
  });
  after(() => server[Symbol.asyncDispose]());

  const forms: readonly [name: string, path: string, accept: string][] = [
    ['indented', `${path}?pretty=1`, 'application/json'],
    ['YAML', `${path}?limit=4`, yaml],
    ['YAML of many', collection('many'), yaml],
    ['Tables', `${path}?includeObject=Object`, 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    ['one object as YAML', `${collection('largest')}/largest`, yaml],
    ['one object indented', `${collection('largest')}/largest?pretty=1`, 'application/json'],
    [
      'one object as a Table',
      `${collection('largest')}/largest?includeObject=Object`,
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    ],
  ];
  for (const [name, from, accept] of forms) {
    it(`hold up the event loop for a moment at most: ${name}`, async () => {
      // Several at a time share what one may take.
      const requests = Array.from({ length: 2 }, () => drain(server.port, from, accept));
      const { blockMs: longest } = await measureBlocks(() => Promise.all(requests));
      assert.ok(longest < longestBlockMs, `${longest} ms of CPU in one turn`);
    });
  }

  const inYaml: readonly [name: string, from: string, accept: string][] = [
    ['objects', path, yaml],
    ['Tables', `${path}?includeObject=Object`, `${yaml};as=Table;v=v1;g=meta.k8s.io`],
    ['one object', `${collection('largest')}/largest`, yaml],
  ];
  for (const [name, from, accept] of inYaml) {
    it(`are written as YAML in a thread, which takes most of the work from the event loop: ${name}`, async () => {
      // The first response starts the thread.
      await drain(server.port, from, accept);
      const before = threadCpuMs();
      await drain(server.port, from, accept);
      const ofLoop = threadCpuMs() - before;
      const { text } = await server.send({ path: from, headers: { accept: accept.replace(yaml, 'application/json') } });
      const start = threadCpuMs();
      // The answers of this server are JSON.
      encodeYaml(JSON.parse(text) as JsonValue);
      const ofWriter = threadCpuMs() - start;
      assert.ok(ofLoop < ofWriter / 2, `${ofLoop} ms of the loop, ${ofWriter} ms of the same work in one piece`);
    });
  }

  it('are not kept for readers that do not read', async () => {
    const responses: ServerResponse[] = [];
    server.server.on('request', (_request, response) => responses.push(response));
    const before = buffersInUse();
    const readers = Array.from({ length: 20 }, () => silentReader(server.port, `${path}?pretty=1`));
    const isStuck = (each: ServerResponse): boolean => each.writableNeedDrain || each.writableEnded;
    await until(() => responses.length === 20 && responses.every(isStuck));
    // What was under way when the last of them got stuck is garbage a moment later.
    let grown = Number.POSITIVE_INFINITY;
    for (let tries = 0; grown > 20 * 1024 * 1024 && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      grown = buffersInUse() - before;
    }
    const buffered = responses.reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const reader of readers) reader.destroy();
    assert.ok(grown < 20 * 1024 * 1024, `${grown} bytes more in buffers`);
    assert.ok(buffered < 20 * 512 * 1024, `${buffered} bytes wait for their readers`);
  });
});

/** Bytes of buffers that something still refers to. */
function buffersInUse(): number {
  forceFullCollection();
  return process.memoryUsage().arrayBuffers;
}

/** A client that sends a request and reads nothing. */
function silentReader(port: number, path: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

/**
 * Sends a request and reads its answer without keeping it; resolves with the number of its bytes.
 */
function drain(port: number, path: string, accept: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(bytes));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept: ${accept}\r\n\r\n`);
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 120_000; !holds(); ) {
    if (performance.now() > end) throw new Error('it did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

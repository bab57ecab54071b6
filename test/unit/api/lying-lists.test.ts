import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { Registries } from '../../../src/registry/definition/registry.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { openListClients } from './list-clients.ts';

const path = '/api/v1/namespaces/ns/configmaps';

/** Registries whose lists have other bytes than they announce. */
function lying(registries: Registries, lie: (bytes: Buffer) => Buffer): Registries {
  return {
    ...registries,
    of: (definition) => {
      const registry = registries.of(definition);
      return (
        registry && {
          ...registry,
          list: async (scope, query) => {
            const list = await registry.list(scope, query);
            const items = list.json?.() ?? assert.fail();
            return { ...list, json: () => ({ ...items, pieces: () => [...items.pieces()].map(lie) }) };
          },
        }
      );
    },
  };
}

const lies: readonly [name: string, lie: (bytes: Buffer) => Buffer][] = [
  ['longer', (bytes) => Buffer.concat([bytes, Buffer.from(' ')])],
  ['shorter', (bytes) => bytes.subarray(1)],
];
/** Sizes of objects: of lists that are sent in one piece, in one turn, and in several. */
const sizes: readonly [name: string, bytes: number][] = [
  ['short', 10],
  ['medium', 60_000],
  ['long', 500_000],
];

describe('a list that is not as long as it announced', () => {
  let honest: Fixture;
  beforeEach(async () => {
    honest = await startFixture();
  });
  afterEach(() => honest[Symbol.asyncDispose]());

  it('sends no byte behind its length, which would pass for the next answer', async () => {
    for (const index of [0, 1, 2, 3]) await honest.configMap(`m${index}`, { data: { text: 'x'.repeat(500_000) } });
    const twice = (bytes: Buffer): Buffer => Buffer.concat([bytes, bytes]);
    await using liar = await startFixture({ registries: lying(honest.registries, twice) });
    const socket = net.connect(liar.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'close');
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    assert.ok(announced > 2_000_000 && body.length < announced, `${body.length} of ${announced} bytes came`);
  });

  for (const [size, bytes] of sizes) {
    for (const [name, lie] of lies) {
      it(`but ${name} breaks its connection and is an error in the log (${size})`, async () => {
        for (const index of [0, 1, 2, 3]) await honest.configMap(`m${index}`, { data: { text: 'x'.repeat(bytes) } });
        await using liar = await startFixture({ registries: lying(honest.registries, lie) });
        for (const client of await openListClients(liar)) {
          await assert.rejects(client.read(path), client.name);
          await client[Symbol.asyncDispose]();
        }
        const errors = liar.logged.filter(([level]) => level === 'error');
        assert.equal(errors.length, 4);
        for (const [, details] of errors) assert.match(JSON.stringify(Object.values(details).map(String)), /bytes/);
      });
    }
  }
});

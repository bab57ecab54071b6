import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';
import { type Message, readBody } from './protobuf-messages.ts';

const path = '/api/v1/namespaces/ns/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';
const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

function texts(bytes: Buffer): readonly unknown[] {
  const { items } = readBody('api.core.v1.ConfigMapList', bytes).object as { items: readonly Message[] };
  return items.map((item) => (item['data'] as Record<string, string>)['n']);
}

describe('the joined items of lists in other formats than the stored one', () => {
  let server: Fixture;
  const list = (accept: string, query = '') => server.send({ path: `${path}${query}`, headers: { accept } });
  before(async () => {
    server = await startFixture();
    const filler = 'x'.repeat(2_000);
    for (let index = 0; index < 200; index++) {
      const labels = { odd: String(index % 2) };
      await server.configMap(`m${String(index).padStart(3, '0')}`, { labels, data: { n: String(index), filler } });
    }
  });
  after(() => server[Symbol.asyncDispose]());

  it('are cached, and sent again', async () => {
    const first = await list(protobuf);
    assert.ok(server.caches.listBytes > 200 * 2_000, `${server.caches.listBytes}`);
    const again = await list(protobuf);
    assert.ok(again.bytes.equals(first.bytes));
    assert.deepEqual(
      texts(again.bytes),
      Array.from({ length: 200 }, (_, index) => String(index)),
    );
  });

  it('are those of their format and selection', async () => {
    const [whole, alone] = [await list(metadata), await list(metadata, '?labelSelector=odd%3D1')];
    await list(protobuf, '?labelSelector=odd%3D1');
    assert.equal((whole.json()['items'] as object[]).length, 200);
    assert.deepEqual((alone.json()['items'] as object[]).length, 100);
    assert.equal(whole.at('items.0.data'), undefined);
    assert.deepEqual(texts((await list(protobuf, '?labelSelector=odd%3D1&limit=3')).bytes), ['1', '3', '5']);
    assert.equal(
      (await list(metadata)).text.replace(/"resourceVersion":"\d+"/, ''),
      whole.text.replace(/"resourceVersion":"\d+"/, ''),
    );
  });

  it('are dropped with an object that changes', async () => {
    await list(protobuf);
    const type = 'application/merge-patch+json';
    await server.send({ method: 'PATCH', path: `${path}/m100`, body: { data: { n: 'changed' } }, type });
    assert.equal(texts((await list(protobuf)).bytes)[100], 'changed');
    await server.send({ method: 'DELETE', path: `${path}/m100` });
    assert.equal(texts((await list(protobuf)).bytes)[100], '101');
  });
});

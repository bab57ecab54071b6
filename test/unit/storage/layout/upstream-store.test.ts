import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../../../src/catalogue/definitions.ts';
import { createProtobufCodec } from '../../../../src/codec/protobuf/protobuf-codec.ts';
import { createCborCodec } from '../../../../src/codec/cbor/cbor-codec.ts';
import { documentOf } from '../../../../src/codec/document.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { encodeStoredObject, decodeStoredObject } from '../../../../src/storage/objects/stored-object.ts';
import { upstreamKeys } from '../../../../src/storage/layout/upstream-keys.ts';
import { upstreamStore } from '../../../../src/storage/layout/upstream-store.ts';
import { upstreamValues } from '../../../../src/storage/layout/upstream-values.ts';
import { MemoryStore } from '../../../../src/storage/memory/memory-store.ts';
import { checkStoreIdentity } from '../../../../src/storage/port/store-identity.ts';

const identifiers = identifiersOf('kubernetes');
const builtIns = builtInDefinitions(identifiers).flatMap(({ storage }) => storage ?? []);
const keys = upstreamKeys({ prefix: '/registry', builtIns, apiDomain: identifiers.apiDomain });
const secret = {
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' },
  data: { a: 'YQ==' },
  type: 'Opaque',
};
/**
 * The value of that Secret, written by this encoder and compared with what kube-apiserver 1.36 stores: the envelope, the
 * metadata with the empty fields that Go writes, the data, the type, and an envelope's empty end.
 */
const golden = 'azhzAAoMCgJ2MRIGU2VjcmV0EjMKIQoBYRIAGgdkZWZhdWx0IgAqAXUyADgAQggIpevcygYQABIGCgFhEgFhGgZPcGFxdWUaACIA';
const textOf = (key: string, value: Uint8Array): string => decodeStoredObject(key, value).json.toString();

describe('a store with the keys and values of kube-apiserver', () => {
  const memory = new MemoryStore();
  const values = upstreamValues({ identifiers, release: '1.36', isJson: (key) => keys.isJson(key) });
  const store = upstreamStore(memory, keys, values);
  after(() => memory.close());

  it('has objects in Protobuf, and reads them as they were written', async () => {
    const key = '/registry/secrets/default/a';
    await store.create(key, encodeStoredObject(secret));
    const { current } = await memory.get(key);
    assert.equal(Buffer.from(current?.value ?? '').toString('base64'), golden);
    const read = await store.get(key);
    assert.equal(textOf(key, read.current?.value ?? Buffer.alloc(0)), JSON.stringify(secret));
  });

  it('has custom objects in JSON, under their group', async () => {
    const key = '/registry/widgets.example.com/default/a';
    const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' }, spec: { a: [1.5, null] } };
    await store.create(key, encodeStoredObject(widget));
    const { current } = await memory.get('/registry/example.com/widgets/default/a');
    assert.equal(Buffer.from(current?.value ?? '').toString(), `${JSON.stringify(widget)}\n`);
    assert.equal(textOf(key, (await store.get(key)).current?.value ?? Buffer.alloc(0)), JSON.stringify(widget));
  });

  it('reads custom objects in CBOR, which kube-apiserver writes with a feature gate', async () => {
    const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'c' }, spec: { a: [1.5, 'b'] } };
    const bytes = Buffer.concat(createCborCodec(identifiers).encodeObject(documentOf(widget)));
    await memory.create('/registry/example.com/widgets/default/c', bytes);
    const key = '/registry/widgets.example.com/default/c';
    const { current } = await store.get(key);
    assert.deepEqual(JSON.parse(textOf(key, current?.value ?? Buffer.alloc(0))), widget);
  });

  it('reads a value with more parts than a client may send in several turns', async () => {
    const args = Array.from({ length: 500_000 }, () => '');
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', args }] } };
    const bytes = Buffer.concat(createProtobufCodec(identifiers).encodeObject(documentOf(pod)));
    const read = values.fromStored(bytes);
    assert.ok(read instanceof Promise);
    let turns = 0;
    let isOver = false;
    const count = (): void => void setImmediate(() => isOver || (turns++, count()));
    count();
    const { json } = decodeStoredObject('', await read);
    isOver = true;
    assert.ok(turns >= 2, `${turns} turns`);
    assert.equal((JSON.parse(json.toString()) as typeof pod).spec.containers[0]?.args.length, args.length);
    assert.ok(values.fromStored(Buffer.from(golden, 'base64')) instanceof Uint8Array);
  });

  it('shows lists, pages, watches and lost swaps under the keys of this server', async () => {
    const { revision } = await memory.status();
    const make = (name: string) =>
      store.create(
        `/registry/nodes/${name}`,
        encodeStoredObject({ kind: 'Node', apiVersion: 'v1', metadata: { name } }),
      );
    for (const name of ['a', 'b', 'c']) await make(name);
    const listed: string[] = [];
    for await (const page of store.list('/registry/nodes/', { startKey: '/registry/nodes/a\0' })) {
      listed.push(...page.values.map(({ key }) => key));
    }
    assert.deepEqual(listed, ['/registry/nodes/b', '/registry/nodes/c']);
    const lost = await store.update('/registry/nodes/a', encodeStoredObject(secret), 1);
    assert.equal(lost.swapped ? '' : lost.current?.key, '/registry/nodes/a');
    const seen: string[] = [];
    for await (const { events } of store.watch('/registry/', { afterRevision: revision })) {
      for (const event of events) seen.push(event.type === 'put' ? textOf('', event.current.value).slice(0, 14) : '');
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, Array(3).fill('{"kind":"Node"'));
  });

  it('reads objects that are larger than a body may be: with their defaults, or as kube-apiserver took them', async () => {
    const key = '/registry/pods/default/large';
    const ports = Array.from({ length: 80_000 }, () => ({ containerPort: 1, protocol: 'TCP' }));
    const spec = { containers: [{ name: 'c', ports }] };
    await store.create(key, encodeStoredObject({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'large' }, spec }));
    const { current } = await store.get(key);
    assert.equal(textOf(key, current?.value ?? Buffer.alloc(0)).split('"containerPort"').length, ports.length + 1);
  });

  it('passes damaged values on, and leaves its own alone', async () => {
    await memory.create('/registry/secrets/default/damaged', Buffer.from('k8s\0\xff\xff', 'latin1'));
    const { current } = await store.get('/registry/secrets/default/damaged');
    assert.equal(Buffer.from(current?.value ?? '').toString('latin1'), 'k8s\0\xff\xff');
    await store.create('/registry/~/progress', Buffer.from('{"writeID":"x"}'));
    assert.equal(
      Buffer.from((await memory.get('/registry/~/progress')).current?.value ?? '').toString(),
      '{"writeID":"x"}',
    );
  });
});

describe('using a store of kube-apiserver', () => {
  it('is refused without the flag, and so is the other way round', async () => {
    const theirs = new MemoryStore();
    await theirs.create('/registry/ranges/serviceips', Buffer.from('k8s\0'));
    const claim = { store: theirs, prefix: '/registry', identifiers: 'kubernetes' };
    await assert.rejects(checkStoreIdentity(claim), {
      code: 'Conflict',
      message: /has the keys of the upstream server.*--storage-media-type/,
    });
    await checkStoreIdentity({ ...claim, layout: 'upstream' });
    await checkStoreIdentity({ ...claim, layout: 'upstream' });
    await assert.rejects(checkStoreIdentity(claim), {
      message: /--identifiers=kubernetes and --storage-media-type, this server/,
    });
    const ours = new MemoryStore();
    await checkStoreIdentity({ ...claim, store: ours });
    await assert.rejects(checkStoreIdentity({ ...claim, store: ours, layout: 'upstream' }), { code: 'Conflict' });
  });
});

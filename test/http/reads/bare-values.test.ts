import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { completeObject } from '../../../src/scheme/complete-object.ts';
import type { ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { decodeStoredObject, encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { objectKey, objectsPrefix } from '../../../src/storage/port/object-key.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, widgetsIn } from '../custom-resources/widgets.ts';
import { everyVersion } from '../every-version.ts';
import { request } from '../http-client.ts';
import { type Collection, collectionsOf } from './every-collection.ts';

const prefix = '/registry';
const group = 'bare.example.com';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.cl.io' };

/** The object without the fields that are always present in the objects of its lists. */
function sparseObject(schema: ObjectSchema, object: JsonObject, isItem = false): JsonObject {
  const entries = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const field = schema.fields.get(name);
    const isDropped = isItem && field?.alwaysPresent;
    return isDropped ? [] : [[name, sparseValue(field?.schema, value, isItem)]];
  });
  return Object.fromEntries(entries);
}

function sparseValue(schema: Schema | undefined, value: JsonValue, isItem: boolean): JsonValue {
  if (schema?.type === 'object' && isJsonObject(value)) return sparseObject(schema, value, isItem);
  if (schema?.type !== 'list' || !Array.isArray(value)) return value;
  return value.map((item) => sparseValue(schema.items, item, true));
}

/** The fields that are always present in the objects of its lists, and are missing there. */
function missingIn(schema: Schema, value: JsonValue | undefined, isItem = false): readonly string[] {
  if (schema.type === 'list')
    return Array.isArray(value) ? value.flatMap((item) => missingIn(schema.items, item, true)) : [];
  if (schema.type !== 'object' || !isJsonObject(value ?? '')) return [];
  const object = value as JsonObject;
  return [...schema.fields.values()].flatMap(({ name, alwaysPresent, schema: inner }) =>
    isItem && alwaysPresent && !Object.hasOwn(object, name) ? [name] : missingIn(inner, object[name], isItem),
  );
}

describe('objects that another program stored without what is always there', () => {
  const all = collectionsOf(group);
  let memory: MemoryStore;
  let served: StoreServer;
  let server: TestServer;

  /** Stores an object that has metadata alone, of the kind and version of the others. */
  async function storeBare({ storage, namespace }: Collection): Promise<void> {
    for await (const { values } of memory.list(objectsPrefix(prefix, storage, ''))) {
      const [stored] = values;
      if (!stored) continue;
      const { kind, apiVersion } = JSON.parse(String(decodeStoredObject(stored.key, stored.value).json)) as JsonObject;
      const metadata = { name: 'bare', ...(namespace ? { namespace } : {}), uid: `bare-${storage.resource}` };
      const bare = encodeStoredObject({ kind: kind ?? '', apiVersion: apiVersion ?? '', metadata });
      await memory.create(objectKey(prefix, storage, namespace, 'bare'), bare);
      return;
    }
    throw new Error(`no ${storage.resource}`);
  }

  /** Stores an object without the fields that are always present in its items. */
  async function storeSparse({ storage, namespace }: Collection): Promise<void> {
    for await (const { values } of memory.list(objectsPrefix(prefix, storage, ''))) {
      const stored = values.find(({ key }) => !key.endsWith('/bare'));
      if (!stored || !storage.schema) continue;
      const object = JSON.parse(String(decodeStoredObject(stored.key, stored.value).json)) as JsonObject;
      const place: JsonObject = namespace === '' ? {} : { namespace };
      const own = { name: 'sparse', uid: `sparse-${storage.resource}`, ...place };
      const metadata = { ...(object['metadata'] as JsonObject), ...own };
      const sparse = encodeStoredObject(sparseObject(storage.schema(), { ...object, metadata }));
      await memory.create(objectKey(prefix, storage, namespace, 'sparse'), sparse);
      return;
    }
  }

  before(async () => {
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
    server = await startServer({ ...everyVersion, prefix, store: { kind: 'remote', endpoint: served.endpoint } });
    await define(server, widgetsIn(group));
    for (const { path, good } of all) await request(server, 'POST', path, good);
    for (const collection of all) {
      await storeBare(collection);
      await storeSparse(collection);
    }
  });
  after(async () => {
    await server?.stop();
    await served.close();
    await memory.close();
  });

  it('are told from what a server has stored, which is used as it is', async () => {
    for (const { storage } of all) {
      for await (const { values } of memory.list(objectsPrefix(prefix, storage, ''))) {
        for (const { key, value } of values) {
          const object = JSON.parse(String(decodeStoredObject(key, value).json)) as JsonObject;
          const completed = storage.schema ? completeObject(storage.schema(), object) : object;
          if (!/\/(?:bare|sparse)$/.test(key)) assert.equal(completed, object, key);
          else if (key.endsWith('/sparse'))
            assert.deepEqual(storage.schema ? missingIn(storage.schema(), completed) : [], [], key);
          else if ('spec' in completed) assert.notEqual(completed, object, key);
        }
      }
    }
  });

  it('are shown in Tables, and updated or refused by their rules', async () => {
    for (const { path } of all) {
      const shown = await request(server, 'GET', path, undefined, table);
      assert.equal(shown.status, 200, `${path}: ${shown.text}`);
      const { rows } = shown.body as { rows: { object: { metadata: { name: string } } }[] };
      assert.ok(
        rows.some(({ object }) => object.metadata.name === 'bare'),
        `${path} lacks it`,
      );
      for (const name of ['bare', 'sparse']) {
        const patch = { metadata: { labels: { a: 'b' } } };
        const headers = { 'content-type': 'application/merge-patch+json' };
        const patched = await request(server, 'PATCH', `${path}/${name}`, patch, headers);
        assert.ok([200, 404, 405, 422].includes(patched.status), `${path}: ${patched.text}`);
      }
    }
  });
});

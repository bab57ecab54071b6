import assert from 'node:assert/strict';
import type { Codec, ListFrame } from '../../../../src/codec/codec.ts';
import { textCodecs } from '../../../../src/api/request/codecs.ts';
import { DecodeError } from '../../../../src/codec/decode-error.ts';
import { type Document, documentOf, documentOfJson, cachedEncoding } from '../../../../src/codec/document.ts';
import { statusDocument } from '../../../../src/codec/status-body.ts';

const value = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };
const json = Buffer.from(JSON.stringify(value));
const object: Document = { json };

const frame: ListFrame = {
  head: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {} },
  field: 'items',
  empty: '[]',
  typedItems: false,
};

function listOf(codec: Codec, items: readonly Document[], typedItems = false): string {
  const encoder = codec.list({ ...frame, typedItems });
  if (items.length === 0) return encoder.empty().toString();
  const texts = items.map((item) => Buffer.concat([...encoder.item(item)]).toString());
  return encoder.head(0).toString() + texts.join(encoder.join.toString()) + encoder.tail.toString();
}

function written(codec: Codec, document: Document): string {
  return Buffer.concat([...codec.encodeObject(document)]).toString();
}

/** Every row, and the forms for people. */
const forms = textCodecs.flatMap((codec) => [
  { name: codec.mediaType, codec },
  ...(codec.pretty ? [{ name: `${codec.mediaType} for people`, codec: codec.pretty }] : []),
]);

for (const { name, codec } of forms) {
  const read = async (text: string): Promise<unknown> => {
    const { value: found } = await codec.decodeObject(Buffer.from(text), { duplicates: true, kind: undefined });
    return found;
  };

  describe(`the codec of ${name}`, () => {
    it('reads the object that it writes, from bytes and from a value', async () => {
      assert.deepEqual(await read(written(codec, object)), value);
      assert.equal(written(codec, documentOf(value)), written(codec, object));
    });

    it('writes a list whose items have neither kind nor apiVersion', async () => {
      const item = { metadata: value.metadata, data: value.data };
      assert.deepEqual(await read(listOf(codec, [object, documentOf(value)])), { ...frame.head, items: [item, item] });
    });

    it('writes a list whose items have both, as those of custom kinds', async () => {
      assert.deepEqual(await read(listOf(codec, [object], true)), { ...frame.head, items: [value] });
    });

    it('writes a list without items', async () => {
      assert.deepEqual(await read(listOf(codec, [])), { ...frame.head, items: [] });
    });

    it('writes a Status as the document that it is', async () => {
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: '<b> & "c"',
      } as const;
      assert.deepEqual(await read(codec.encodeStatus(status).toString()), status);
      assert.equal(codec.encodeStatus(status).toString(), written(codec, statusDocument(status)));
    });

    it('refuses a body without a document', async () => {
      await assert.rejects(read(''), DecodeError);
    });
  });
}

describe('the codec of application/json', () => {
  const [codec] = textCodecs;

  it('writes the bytes of an object as they are', () => {
    const [first] = codec.encodeObject(object);
    assert.equal(first, json);
  });

  it('writes an event of a watch as one line around the bytes of the object', () => {
    const parts = codec.watch?.frame('ADDED', documentOfJson(Buffer.from('{"a":1}'))) ?? [];
    assert.equal(Buffer.concat(parts).toString(), '{"type":"ADDED","object":{"a":1}}\n');
  });
});

describe('cachedEncoding', () => {
  it('encodes a document that keeps encodings once for each name', () => {
    const kept = { ...object, encodings: new Map<string, Buffer>() };
    let made = 0;
    const encode = (): Buffer => Buffer.from(String(++made));
    assert.equal(cachedEncoding(kept, 'a', encode), cachedEncoding(kept, 'a', encode));
    cachedEncoding(kept, 'b', encode);
    assert.equal(made, 2);
  });

  it('encodes each time a document that keeps none', () => {
    let made = 0;
    cachedEncoding(object, 'a', () => Buffer.from(String(++made)));
    cachedEncoding(object, 'a', () => Buffer.from(String(++made)));
    assert.equal(made, 2);
  });
});

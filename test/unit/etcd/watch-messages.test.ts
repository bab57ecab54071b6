import assert from 'node:assert/strict';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { decodeWatchMessage } from '../../../src/etcd/watch-messages.ts';

/** A message whose fields `write` writes. */
function message(write: (writer: BinaryWriter) => void): Buffer {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).uint64('14841639068965178418').tag(3, WireType.Varint).int64(77).join();
  write(writer);
  return Buffer.from(writer.finish());
}

/** Adds a KeyValue; `tag` is its field. */
function addValue(writer: BinaryWriter, tag: number, revisions: { created: number; modified: number }): BinaryWriter {
  writer.tag(tag, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).bytes(Buffer.from('/registry/ä'));
  if (revisions.created > 0) writer.tag(2, WireType.Varint).int64(revisions.created);
  writer.tag(3, WireType.Varint).int64(revisions.modified);
  if (revisions.created > 0) writer.tag(5, WireType.LengthDelimited).bytes(Buffer.from('value'));
  return writer.join();
}

describe('a message of a watch on etcd', () => {
  it('has the events of changes, in order', () => {
    const bytes = message((writer) => {
      for (const { type, created, modified, previous } of [
        { type: 0, created: 7, modified: 7, previous: 0 },
        { type: 0, created: 7, modified: 9, previous: 7 },
        { type: 1, created: 0, modified: 11, previous: 9 },
      ]) {
        writer.tag(11, WireType.LengthDelimited).fork();
        // The default is left out, as Go does.
        if (type > 0) writer.tag(1, WireType.Varint).int32(type);
        addValue(writer, 2, { created, modified });
        if (previous > 0) addValue(writer, 3, { created: 7, modified: previous });
        // A field of a later version.
        writer.tag(99, WireType.Varint).int32(1).join();
      }
    });
    const { events, ...rest } = decodeWatchMessage(bytes);
    const value = (revision: number) => ({
      key: '/registry/ä',
      value: Buffer.from('value'),
      revision,
      createRevision: 7,
    });
    assert.deepEqual(events, [
      { type: 'put', current: value(7), created: true, previous: undefined },
      { type: 'put', current: value(9), created: false, previous: value(7) },
      { type: 'delete', key: '/registry/ä', revision: 11, previous: value(9) },
    ]);
    assert.deepEqual(rest, {
      clusterId: '14841639068965178418',
      revision: 77,
      created: false,
      canceled: false,
      compactRevision: 0,
      reason: '',
      fragment: false,
    });
  });

  it('says why a watch was cancelled', () => {
    const bytes = message((writer) => {
      writer.tag(3, WireType.Varint).bool(true).tag(4, WireType.Varint).bool(true);
      writer.tag(5, WireType.Varint).int64(5_000_000_000).tag(6, WireType.LengthDelimited).string('compacted');
      writer.tag(7, WireType.Varint).bool(true);
    });
    const { created, canceled, compactRevision, reason, fragment } = decodeWatchMessage(bytes);
    assert.deepEqual(
      { created, canceled, compactRevision, reason, fragment },
      { created: true, canceled: true, compactRevision: 5_000_000_000, reason: 'compacted', fragment: true },
    );
  });

  it('is refused if it is truncated', () => {
    const bytes = message((writer) => {
      writer.tag(11, WireType.LengthDelimited).fork();
      addValue(writer, 2, { created: 7, modified: 7 }).join();
    });
    assert.throws(() => decodeWatchMessage(bytes.subarray(0, -3)));
  });
});

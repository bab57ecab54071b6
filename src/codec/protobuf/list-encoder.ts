import type { JsonObject } from '../../meta/json-value.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import type { ListEncoder, ListFrame } from '../codec.ts';
import type { Document } from '../document.ts';
import { envelopeTail, itemOf, typeOf, writeEnvelopeHead } from './envelope.ts';
import { messageForm } from './message-form.ts';
import type { ReverseWriter } from './reverse-writer.ts';
import { nestedForm } from './wire-form.ts';
import { wireType } from './wire-reader.ts';

/** The tags of a list's metadata and of an item. */
interface ListTags {
  readonly metadata: number;
  readonly item: number;
}

const usualTags: ListTags = { metadata: (1 << 3) | wireType.delimited, item: (2 << 3) | wireType.delimited };

/** The numbers of `PartialObjectMetadataList` in v1beta1, the only list that has others. */
const reversedTags: ListTags = { metadata: usualTags.item, item: usualTags.metadata };

const noBytes = Buffer.alloc(0);

/**
 * Returns the encoder of one list: an envelope around a message of the metadata and the items.
 * `bodyOf` returns the encoding of a document with its envelope.
 */
export function listEncoder(
  { head }: ListFrame,
  writer: ReverseWriter,
  bodyOf: (document: Document) => Buffer,
): ListEncoder {
  const { kind, apiVersion } = typeOf(head);
  const tags = kind === 'PartialObjectMetadataList' && apiVersion.endsWith('/v1beta1') ? reversedTags : usualTags;
  const metadata = encodedMetadata(writer, head, tags);
  const [before, after] = tags === usualTags ? [metadata, noBytes] : [noBytes, metadata];
  const headOf = (itemsLength: number): Buffer => {
    writer.clear();
    writer.raw(before);
    writer.varint(metadata.length + itemsLength);
    writeEnvelopeHead(writer, apiVersion, kind);
    return writer.finish();
  };
  const tail = Buffer.concat([after, envelopeTail]);
  const itemTag = Buffer.from([tags.item]);
  return {
    sized: true,
    head: headOf,
    item:
      tags === usualTags
        ? (document) => [itemOf(bodyOf(document))]
        : (document) => [itemTag, itemOf(bodyOf(document)).subarray(itemTag.length)],
    join: noBytes,
    tail,
    empty: () => Buffer.concat([headOf(0), tail]),
  };
}

function encodedMetadata(writer: ReverseWriter, { metadata }: JsonObject, tags: ListTags): Buffer {
  writer.clear();
  nestedForm(messageForm(schemaOf('api.meta.v1.ListMeta'))).write(writer, metadata ?? null);
  writer.varint(tags.metadata);
  return writer.finish();
}

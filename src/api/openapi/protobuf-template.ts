import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { filledText, type TextTemplate, textTemplate } from './text-template.ts';

/** A message with names in it: bytes, and the fields that contain names. */
type ProtobufTemplate = readonly (Uint8Array | FieldTemplate)[];

/** A field of a message whose length depends on names. */
interface FieldTemplate {
  readonly number: number;
  readonly content: { readonly text: TextTemplate } | { readonly message: ProtobufTemplate };
}

/** Makes a template of an encoded message with names in its strings: it encodes it with others. */
export function messageTemplate(
  desc: DescMessage,
  bytes: Uint8Array,
  names: readonly string[],
): (others: readonly string[]) => Buffer {
  const template = protobufTemplate(desc, bytes, names);
  return (others) => {
    const writer = new BinaryWriter();
    write(writer, template, others);
    return Buffer.from(writer.finish());
  };
}

/** Splits an encoded message at the names in its strings. */
function protobufTemplate(desc: DescMessage, bytes: Uint8Array, names: readonly string[]): ProtobufTemplate {
  const parts: (Uint8Array | FieldTemplate)[] = [];
  const reader = new BinaryReader(bytes);
  let literalFrom = 0;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, type] = reader.tag();
    if (type !== WireType.LengthDelimited) {
      reader.skip(type);
      continue;
    }
    const field = desc.fields.find((one) => one.number === number);
    const content = contentOf(field, reader.bytes(), names);
    if (!content) continue;
    if (start > literalFrom) parts.push(bytes.subarray(literalFrom, start));
    parts.push({ number, content });
    literalFrom = reader.pos;
  }
  return literalFrom < bytes.length ? [...parts, bytes.subarray(literalFrom)] : parts;
}

/** Undefined for a field without names. */
function contentOf(
  field: DescField | undefined,
  bytes: Uint8Array,
  names: readonly string[],
): FieldTemplate['content'] | undefined {
  if (field?.message) {
    const message = protobufTemplate(field.message, bytes, names);
    return message.every((part) => part instanceof Uint8Array) ? undefined : { message };
  }
  const text = textTemplate(Buffer.from(bytes).toString(), names);
  return text.some((part) => typeof part === 'number') ? { text } : undefined;
}

function write(writer: BinaryWriter, template: ProtobufTemplate, names: readonly string[]): void {
  for (const part of template) {
    if (part instanceof Uint8Array) {
      writer.raw(part);
      continue;
    }
    const { number, content } = part;
    writer.tag(number, WireType.LengthDelimited);
    if ('text' in content) {
      writer.string(filledText(content.text, names));
      continue;
    }
    writer.fork();
    write(writer, content.message, names);
    writer.join();
  }
}

import assert from 'node:assert/strict';
import { ReverseWriter } from '../../../../src/codec/protobuf/reverse-writer.ts';

/** The first buffer of a writer; a message that does not fit gets a larger one. */
const firstBytes = 16 * 1024;

const content = Buffer.from(Array.from({ length: 40_000 }, (_, index) => 1 + (index % 125)));

/** What may be the first thing that no longer fits, and its bytes. */
const values: Readonly<Record<string, (writer: ReverseWriter) => Buffer>> = {
  'a short text': (writer) => {
    writer.text('short');
    return Buffer.from('\u0005short');
  },
  'a long text': (writer) => {
    writer.text(content.toString('latin1'));
    return Buffer.from([0xc0, 0xb8, 0x02, ...content]);
  },
  'a text that is not ASCII': (writer) => {
    writer.text('größer');
    return Buffer.from('\u0008größer');
  },
  bytes: (writer) => {
    writer.bytes(content.subarray(0, 300));
    return Buffer.from([0xac, 0x02, ...content.subarray(0, 300)]);
  },
  'a number': (writer) => {
    writer.varint(300);
    return Buffer.from([0xac, 0x02]);
  },
  'a number of 64 bits': (writer) => {
    writer.bigVarint(-1n);
    return Buffer.from([...Array<number>(9).fill(0xff), 0x01]);
  },
  'a floating-point number': (writer) => {
    writer.double(1.5);
    return Buffer.from([0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
  },
};

describe('a Protobuf message that outgrows its buffer', () => {
  for (const [name, write] of Object.entries(values)) {
    it(`has all bytes of ${name}, wherever the buffer ends`, () => {
      // The value begins before the end of the buffer, at it, or needs a buffer that is larger than twice the first.
      for (const free of [0, 1, 2, 5, 9, 200, 10_000]) {
        const writer = new ReverseWriter();
        const end = content.subarray(0, firstBytes - free);
        writer.raw(end);
        const expected = Buffer.concat([write(writer), end]);
        assert.ok(writer.finish().equals(expected), `${free} bytes free`);
      }
    });
  }
});

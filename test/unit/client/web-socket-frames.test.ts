import assert from 'node:assert/strict';
import { encodeFrame, opcodes, readFrames } from '../../../src/client/streams/web-socket-frames.ts';

const rules = { sender: 'client', largestPayload: 1_000 } as const;

async function framesOf(...chunks: readonly Buffer[]): Promise<{ opcode: number; text: string }[]> {
  async function* sent(): AsyncIterable<Buffer> {
    yield* chunks;
  }
  const frames: { opcode: number; text: string }[] = [];
  for await (const { opcode, payload } of readFrames(sent(), rules)) frames.push({ opcode, text: String(payload) });
  return frames;
}

describe('the frames of a client', () => {
  it('are read whole, however their bytes arrive', async () => {
    const bytes = Buffer.concat([
      encodeFrame(opcodes.ping, Buffer.from('x'.repeat(125))),
      encodeFrame(opcodes.text, Buffer.from('hello')),
    ]);
    const whole = await framesOf(bytes);
    assert.deepEqual(whole, [
      { opcode: opcodes.ping, text: 'x'.repeat(125) },
      { opcode: opcodes.text, text: 'hello' },
    ]);
    assert.deepEqual(await framesOf(...[...bytes].map((byte) => Buffer.from([byte]))), whole);
  });

  const ping = (first: number, length: number): Buffer => {
    const frame = encodeFrame(opcodes.ping, Buffer.alloc(length));
    frame[0] = first;
    return frame;
  };
  const refused: Readonly<Record<string, [frame: Buffer, message: RegExp]>> = {
    'a bit of an extension': [ping(0xc9, 1), /an extension that nobody asked for/],
    'a ping of 126 bytes': [ping(0x89, 126), /control frame that is long or in parts/],
    'a ping in parts': [ping(0x09, 1), /control frame that is long or in parts/],
  };
  for (const [name, [frame, message]] of Object.entries(refused)) {
    it(`are refused with ${name}`, () => assert.rejects(framesOf(frame), { message }));
  }
});

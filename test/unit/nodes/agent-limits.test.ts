import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createDeflate, deflateSync } from 'node:zlib';
import { encodeFrame, opcodes } from '../../../src/client/streams/web-socket-frames.ts';
import { ContainerFiles } from '../../../src/nodes/agent-server/files/container-files.ts';
import { shellTokens } from '../../../src/nodes/agent-server/programs/shell-words.ts';
import { spdyDictionary } from '../../../src/nodes/agent-server/protocols/spdy-dictionary.ts';
import { serveSpdy } from '../../../src/nodes/agent-server/protocols/spdy-session.ts';
import { acceptWebSocket } from '../../../src/nodes/agent-server/protocols/accept-web-socket.ts';
import { fillPlaceholders } from '../../../src/nodes/agent-server/runs/fill-placeholders.ts';

/** A connection whose peer sends bytes by `push`, and reads nothing. */
function connection(): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
}

/** A frame of SPDY that opens a stream with these headers. */
function openFrame(headers: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), headers]);
  const head = Buffer.from([0x80, 3, 0, 1, 0, 0, 0, 0]);
  head.writeUIntBE(body.length, 5, 3);
  return Buffer.concat([head, body]);
}

async function severalTicks(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

describe('limits of the agent of stand-in nodes', () => {
  it('end a connection whose headers are a thousand times as large as their frame', async () => {
    const transport = connection();
    serveSpdy(transport, () => assert.fail('a stream was opened'));
    transport.push(openFrame(deflateSync(Buffer.alloc(64 * 1024 * 1024), { dictionary: spdyDictionary })));
    const [error] = (await once(transport, 'error')) as [Error];
    assert.match(error.message, /the headers are too large/);
  });

  it('join the fragments of a message, of a client that masks them', async () => {
    const masked = connection();
    const socket = acceptWebSocket({ socket: masked, head: Buffer.alloc(0) }, 'p', 'a');
    const first = encodeFrame(opcodes.binary, Buffer.from('one '));
    first[0] = opcodes.binary;
    masked.push(Buffer.concat([first, encodeFrame(opcodes.continuation, Buffer.from('message'))]));
    masked.push(encodeFrame(opcodes.binary, Buffer.from('x'), 'server'));
    const messages: string[] = [];
    for await (const message of socket.messages) messages.push(message.toString());
    assert.deepEqual(messages, ['one message']);
  });

  it('take no more frames than the client reads replies', async () => {
    let written = 0;
    const ends: (() => void)[] = [];
    const transport = new Duplex({
      read() {},
      write: (chunk: Buffer, _encoding, done) => {
        written += chunk.length;
        ends.push(() => done());
      },
    });
    serveSpdy(transport, () => assert.fail('a stream was opened'));
    const ping = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]);
    for (let index = 0; index < 1_000; index++) transport.push(ping);
    await severalTicks();
    assert.equal(written, ping.length);
    for (let at = 0; at < ends.length; at++) {
      ends[at]?.();
      await severalTicks();
    }
    assert.equal(written, 1_000 * ping.length);
    // The end of the input is the end of the connection: nobody reads the rest.
    transport.push(null);
    await once(transport, 'close');
  });

  it('end a connection with more than 2,000 open streams, or that opens one twice', async () => {
    assert.match(await endAfter(2_000, (index) => 2 * index + 1), /too many streams are open/);
    assert.match(await endAfter(1, () => 7), /the stream 7 is open already/);
  });

  /** Opens one stream more than are taken. Returns the reason of the end of the connection. */
  async function endAfter(taken: number, idOf: (index: number) => number): Promise<string> {
    const transport = connection();
    let opened = 0;
    serveSpdy(transport, () => opened++);
    const deflate = createDeflate({ dictionary: spdyDictionary });
    const headers: Buffer[] = [];
    deflate.on('data', (part: Buffer) => headers.push(part));
    const ended = once(transport, 'error') as Promise<[Error]>;
    for (let index = 0; index <= taken; index++) {
      deflate.write(Buffer.alloc(4));
      await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
      const frame = openFrame(Buffer.concat(headers.splice(0)));
      frame.writeUInt32BE(idOf(index), 8);
      transport.push(frame);
    }
    const [{ message }] = await ended;
    assert.equal(opened, taken);
    return message;
  }

  it('count the names of files', () => {
    const files = new ContainerFiles(0, () => Number.POSITIVE_INFINITY);
    const write = (index: number): void => files.write(`/tmp/${index}${'n'.repeat(4_000)}`, Buffer.alloc(0));
    assert.throws(() => {
      for (let index = 0; index < 1_900; index++) write(index);
    }, /No space left on device/);
    files.remove('/tmp');
    files.makeFolder('/tmp');
    write(0);
    assert.throws(() => files.makeFolder('/d'.repeat(3_000)), /File name too long/);
  });

  it('bound texts that grow by names in them', () => {
    const metadata = { name: 'p'.repeat(200), namespace: 'n', uid: 'u' };
    const pod = { metadata, spec: {} } as unknown as Parameters<typeof fillPlaceholders>[1]['pod'];
    const run = { pod, container: 'c', image: 'i', restarts: 0, startedMs: 0, endedMs: undefined, exitCode: 0 };
    const more = [['line', 'l'.repeat(60_000)]] as const;
    const text = fillPlaceholders('{line}{pod}'.repeat(20_000), run, { timeMs: 0, count: 1, more });
    assert.ok(text.length < 512 * 1024, String(text.length));
    assert.equal(
      fillPlaceholders('{pod} {line} {x}', run, { timeMs: 0, count: 1, more: [['line', '{pod}']] }),
      `${metadata.name} {pod} {x}`,
    );
    assert.throws(() => [...shellTokens('$A'.repeat(100), () => 'a'.repeat(100_000))], /a word is too long/);
  });
});

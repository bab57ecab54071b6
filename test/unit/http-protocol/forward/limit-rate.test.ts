import assert from 'node:assert/strict';
import { once } from 'node:events';
import { limitRate } from '../../../../src/http-protocol/forward/limit-rate.ts';

describe('a limited stream', () => {
  it('passes bytes on in small parts, and all of them', async () => {
    const stream = limitRate(20_000);
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    const sent = Buffer.from(Array.from({ length: 2_500 }, (_, index) => index % 256));
    stream.end(sent);
    await once(stream, 'end');
    assert.deepEqual(
      parts.map(({ length }) => length),
      [1000, 1000, 500],
    );
    assert.deepEqual(Buffer.concat(parts), sent);
  });

  it('passes nothing on once it is destroyed', async () => {
    const stream = limitRate(1);
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.write('abc');
    await once(stream, 'data');
    stream.destroy();
    await once(stream, 'close');
    assert.equal(parts.length, 1);
  });
});

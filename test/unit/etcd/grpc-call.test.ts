import assert from 'node:assert/strict';
import { answerOf, newCall, receiveData } from '../../../src/etcd/grpc/grpc-call.ts';

/** The answer that comes in parts of so many bytes, and says that it has `said` bytes. */
function taken(answer: Buffer, partBytes: number, said = answer.length - 5): Buffer {
  const call = newCall('/', Buffer.alloc(0), () => undefined);
  answer.writeUInt32BE(said, 1);
  for (let at = 0; at < answer.length; at += partBytes) receiveData(call, answer.subarray(at, at + partBytes));
  return answerOf(call);
}

describe('the answer of a gRPC call', () => {
  it('is put together of whatever parts it comes in, and whatever length it says', () => {
    const answer = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 251));
    for (const partBytes of [1, 3, 5, 7, 999, 1_000]) {
      for (const said of [995, 0, 10, 0xff_ff_ff_ff]) {
        assert.ok(taken(answer, partBytes, said).equals(answer), `${partBytes} of ${said}`);
      }
    }
  });

  // Lists of large objects come in answers of hundreds of megabytes.
  it('takes time in proportion to its length', () => {
    const answer = Buffer.alloc(48 << 20, 'x');
    const before = process.cpuUsage();
    assert.ok(taken(answer, 16_384).equals(answer));
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });
});

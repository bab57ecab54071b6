import { FrameReader, frameTypes, flags, preface, unpadded } from '../../src/etcd/grpc/http2-frames.ts';
import { decodeFields } from '../../src/etcd/grpc/hpack.ts';

const watchPath = '/etcdserverpb.Watch/Watch';

/**
 * Reads what a client of etcd sends on one connection without TLS, and answers for each piece whether the connection carries a
 * watch by now. A connection that is not understood carries none.
 */
export function findsWatches(): (piece: Buffer) => boolean {
  let found = false;
  let understood = true;
  let skip = preface.length;
  const reader = new FrameReader((frame) => {
    if (frame.type !== frameTypes.headers || (frame.flags & flags.endHeaders) === 0) return;
    found ||= decodeFields(unpadded(frame)).get(':path') === watchPath;
  });
  return (piece) => {
    if (found || !understood) return found;
    const frames = piece.subarray(Math.min(skip, piece.length));
    skip -= piece.length - frames.length;
    try {
      reader.read(frames);
    } catch {
      // Later header blocks refer to earlier ones; the first names the call.
      understood = false;
    }
    return found;
  };
}

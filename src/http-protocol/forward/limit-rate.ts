import { Transform } from 'node:stream';

/** How many times a second bytes are passed on: often, so that the rate is even. */
const partsPerSecond = 20;

/** A stream that passes bytes on at a rate, in bytes per second. */
export function limitRate(bytesPerSecond: number): Transform {
  const part = Math.max(1, Math.floor(bytesPerSecond / partsPerSecond));
  let freeMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const passOn = (from: number): void => {
        if (from >= chunk.length) return done();
        const piece = chunk.subarray(from, from + part);
        const nowMs = performance.now();
        const waitMs = freeMs - nowMs;
        freeMs = Math.max(freeMs, nowMs) + (piece.length / bytesPerSecond) * 1000;
        timer = setTimeout(
          () => {
            this.push(piece);
            passOn(from + part);
          },
          Math.max(0, waitMs),
        );
      };
      passOn(0);
    },
    destroy(error, done) {
      clearTimeout(timer);
      done(error);
    },
  });
}

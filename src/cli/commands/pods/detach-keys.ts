import { type Readable, Transform } from 'node:stream';
import { CliError } from '../../cli-error.ts';

/** The code of `ctrl-` and a letter is that of the letter without these bits. */
const controlBits = 0x1f;

/** The bytes of keys as a user writes them: `ctrl-p`, `q`. */
function bytesOf(keys: readonly string[]): Buffer {
  return Buffer.concat(
    keys.map((key) => {
      const [, letter] = /^ctrl-([a-z@[\\\]^_])$/i.exec(key) ?? [];
      if (letter !== undefined) return Buffer.of(letter.toUpperCase().charCodeAt(0) & controlBits);
      if (key.length === 1) return Buffer.from(key);
      throw new CliError(`"${key}" is not a key`, { hint: 'write keys as ctrl-p,ctrl-q' });
    }),
  );
}

/** Standard input, which calls `leave` when these keys are typed one after the other. */
export function detachOn(keys: readonly string[], stdin: Readable, leave: () => void): Transform {
  const wanted = bytesOf(keys);
  let typed: Buffer = Buffer.alloc(0);
  const watched = new Transform({
    transform(data: Buffer, _encoding, settle) {
      typed = Buffer.concat([typed, data]);
      const isTyped = wanted.length > 0 && typed.includes(wanted);
      typed = typed.subarray(Math.max(0, typed.length - wanted.length));
      settle(null, data);
      if (isTyped) leave();
    },
  });
  return stdin.pipe(watched);
}

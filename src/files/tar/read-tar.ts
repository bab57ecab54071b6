import { blockBytes, decodeTarHeader, tarPadding, type TarHeader, tarTypes } from './tar-header.ts';

/** An entry with its contents, which are read before the next entry. */
export interface TarEntry {
  readonly header: TarHeader;
  readonly contents: AsyncIterable<Buffer>;
}

/** Names and headers in entries of their own are read whole, and are short. */
const longestMeta = 1024 * 1024;

/** The entries of an archive in their order. Contents that are not read are skipped. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncIterable<TarEntry> {
  const bytes = new ByteReader(chunks);
  let named: Partial<TarHeader> = {};
  for (;;) {
    const block = await bytes.take(blockBytes);
    const read = block && decodeTarHeader(block);
    if (!read) break;
    const padding = tarPadding(read.size).length;
    if (isMeta(read)) {
      if (read.size > longestMeta) throw new Error('the archive has a name that is too long');
      const text = ((await bytes.take(read.size)) ?? Buffer.alloc(0)).toString();
      await bytes.take(padding);
      named = { ...named, ...metaOf(read.type, text) };
      continue;
    }
    const header = { ...read, ...named };
    named = {};
    const contents = bytes.stream(header.size);
    yield { header, contents };
    for await (const _ of contents);
    await bytes.take(tarPadding(header.size).length);
  }
  // The program that writes the archive must not meet a closed pipe.
  await bytes.drain();
}

function isMeta({ type }: TarHeader): boolean {
  return [tarTypes.longName, tarTypes.longLink, tarTypes.extended, tarTypes.global].some((each) => each === type);
}

/** The fields of the next entry that an entry before it has. */
function metaOf(type: string, text: string): Partial<TarHeader> {
  const whole = text.replace(/\0.*$/s, '');
  if (type === tarTypes.longName) return { name: whole };
  if (type === tarTypes.longLink) return { target: whole };
  if (type !== tarTypes.extended) return {};
  const records = new Map(
    [...text.matchAll(/\d+ ([^=\n]+)=([^\n]*)\n/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const [name, target, size] = [records.get('path'), records.get('linkpath'), records.get('size')];
  return {
    ...(name === undefined ? {} : { name }),
    ...(target === undefined ? {} : { target }),
    ...(size === undefined ? {} : { size: Number(size) }),
  };
}

/** Reads bytes of a stream in the amounts that are asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * Reads bytes; undefined at the end of the stream. Throws if the stream ends within the bytes.
   */
  async take(count: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for await (const part of this.stream(count, true)) parts.push(part);
    return parts.length === 0 && count > 0 ? undefined : Buffer.concat(parts);
  }

  /** The next bytes as they arrive. `mayEnd`: there may be none at all. */
  async *stream(count: number, mayEnd = false): AsyncIterable<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.#held.length === 0 && !(await this.#more())) {
        if (mayEnd && left === count) return;
        throw new Error('the archive ends early');
      }
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async drain(): Promise<void> {
    while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#held = value;
    return true;
  }
}

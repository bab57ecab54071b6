import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { blockBytes, encodeTarHeader, tarPadding, tarTypes } from '../../files/tar/tar-header.ts';

/** An archive of a file or a folder under a name. Links are followed, as a reader expects. */
export async function* writeTar(path: string, name: string): AsyncIterable<Buffer> {
  yield* entriesOf(path, name);
  yield Buffer.alloc(2 * blockBytes);
}

const permissionBits = 0o7777;

async function* entriesOf(path: string, name: string): AsyncIterable<Buffer> {
  const { mode, mtimeMs, size, ...kind } = await stat(path).then((found) => ({
    mode: found.mode & permissionBits,
    mtimeMs: found.mtimeMs,
    size: found.size,
    isFolder: found.isDirectory(),
    isFile: found.isFile(),
  }));
  const shared = { mode, modifiedAtSeconds: Math.floor(mtimeMs / 1000) };
  if (kind.isFolder) {
    yield encodeTarHeader({ ...shared, name: `${name}/`, type: tarTypes.folder, size: 0 });
    for (const child of (await readdir(path)).toSorted()) yield* entriesOf(join(path, child), `${name}/${child}`);
  } else if (kind.isFile) {
    yield encodeTarHeader({ ...shared, name, type: tarTypes.file, size });
    yield* contentsOf(path, size);
  }
}

/** As many bytes as the header says, also of a file that changes meanwhile. */
async function* contentsOf(path: string, size: number): AsyncIterable<Buffer> {
  let left = size;
  if (size > 0) {
    for await (const chunk of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
      left -= chunk.length;
      yield chunk;
    }
  }
  if (left > 0) yield Buffer.alloc(left);
  yield tarPadding(size);
}

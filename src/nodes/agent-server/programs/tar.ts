import { posix } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { readTar } from '../../../files/tar/read-tar.ts';
import { blockBytes, encodeTarHeader, tarPadding, tarTypes } from '../../../files/tar/tar-header.ts';
import type { ContainerFiles } from '../files/container-files.ts';
import type { CommandCall } from './command-call.ts';

interface TarOptions {
  readonly letters: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** `tar` between the files of a container and its streams, as copies of clients use it. */
export async function tar(call: CommandCall): Promise<number> {
  try {
    const options = optionsOf(call.words.slice(1));
    if (options.letters.includes('c')) await create(call, options);
    else if (options.letters.includes('x')) await extract(call, options);
    else throw new Error('use c or x, with the archive on the standard streams');
    return 0;
  } catch (error) {
    await call.err(`tar: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** The archive is `-`: other ones are refused. */
function optionsOf(words: readonly string[]): TarOptions {
  let letters = '';
  let folder = '/';
  const paths: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('--')) continue;
    if (word === '-C') folder = posix.resolve('/', words[++at] ?? '');
    else if (letters === '' && word !== '-') letters = word.replace(/^-/, '');
    else paths.push(word);
  }
  if (letters.includes('f') && paths.shift() !== '-') throw new Error('the archive must be "-"');
  return { letters, folder, paths };
}

async function create(call: CommandCall, { letters, folder, paths }: TarOptions): Promise<void> {
  if (paths.length === 0) throw new Error('Cowardly refusing to create an empty archive');
  const archive = archiveOf(call.files, folder, paths);
  const output = letters.includes('z') ? through(archive, createGzip()) : archive;
  for await (const part of output) await call.out(part);
}

async function* archiveOf(files: ContainerFiles, folder: string, paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const path of paths) {
    // As GNU tar: names in an archive do not begin with a slash.
    const name = path.replace(/^\/+/, '').replace(/(?<=.)\/+$/, '');
    yield* entriesOf(files, posix.resolve(folder, path), name === '' ? '.' : name);
  }
  yield Buffer.alloc(2 * blockBytes);
}

function* entriesOf(files: ContainerFiles, path: string, name: string): Generator<Buffer> {
  const entry = files.get(path);
  if (!entry) throw new Error(`${path}: Cannot stat: No such file or directory`);
  const { bytes, mode, modifiedAtSeconds } = entry;
  const shared = { mode, modifiedAtSeconds };
  if (bytes) {
    yield encodeTarHeader({ ...shared, name, type: tarTypes.file, size: bytes.length });
    yield bytes;
    yield tarPadding(bytes.length);
    return;
  }
  yield encodeTarHeader({ ...shared, name: `${name}/`, type: tarTypes.folder, size: 0 });
  for (const child of files.list(path)) yield* entriesOf(files, posix.join(path, child), `${name}/${child}`);
}

/** Passes bytes through a codec of zlib, at the pace of the reader. */
function through(bytes: AsyncIterable<Buffer>, codec: Gzip | Gunzip): AsyncIterable<Buffer> {
  pipeline(Readable.from(bytes), codec, () => {});
  return codec as AsyncIterable<Buffer>;
}

async function extract({ files, stdin, signal }: CommandCall, { letters, folder }: TarOptions): Promise<void> {
  if (!files.isFolder(folder)) throw new Error(`${folder}: Cannot open: No such file or directory`);
  for await (const { header, contents } of readTar(letters.includes('z') ? through(stdin, createGunzip()) : stdin)) {
    signal.throwIfAborted();
    // A name cannot lead out of the folder.
    const path = posix.join(folder, posix.resolve('/', header.name));
    if (header.type === tarTypes.folder) files.makeFolder(path);
    else if (header.type === tarTypes.file || header.type === '7') {
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of contents) {
        size += part.length;
        if (size > largestFile) throw new Error(`${path}: No space left on device`);
        parts.push(part);
      }
      files.makeFolder(posix.dirname(path));
      files.write(path, Buffer.concat(parts), { mode: header.mode, modifiedAtSeconds: header.modifiedAtSeconds });
    }
  }
}

const largestFile = 8 * 1024 * 1024;

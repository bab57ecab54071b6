import { posix } from 'node:path';
import { readTar } from '../../../files/tar/read-tar.ts';
import { blockBytes, encodeTarHeader, tarPadding, tarTypes } from '../../../files/tar/tar-header.ts';
import type { CommandCall } from './command-call.ts';

interface TarOptions {
  readonly letters: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** `tar` between the files of a container and its streams, as copies of clients use it. */
export async function tar(call: CommandCall): Promise<number> {
  try {
    const { letters, folder, paths } = optionsOf(call.words.slice(1));
    if (letters.includes('c')) await create(call, folder, paths);
    else if (letters.includes('x')) await extract(call, folder);
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

async function create(call: CommandCall, folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) throw new Error('Cowardly refusing to create an empty archive');
  for (const path of paths) {
    // As GNU tar: names in an archive do not begin with a slash.
    const name = path.replace(/^\/+/, '').replace(/(?<=.)\/+$/, '');
    await addEntry(call, posix.resolve(folder, path), name === '' ? '.' : name);
  }
  await call.out(Buffer.alloc(2 * blockBytes));
}

async function addEntry(call: CommandCall, path: string, name: string): Promise<void> {
  const entry = call.files.get(path);
  if (!entry) throw new Error(`${path}: Cannot stat: No such file or directory`);
  const { bytes, mode, modifiedAtSeconds } = entry;
  const shared = { mode, modifiedAtSeconds };
  if (bytes) {
    await call.out(encodeTarHeader({ ...shared, name, type: tarTypes.file, size: bytes.length }));
    await call.out(bytes);
    await call.out(tarPadding(bytes.length));
    return;
  }
  await call.out(encodeTarHeader({ ...shared, name: `${name}/`, type: tarTypes.folder, size: 0 }));
  for (const child of call.files.list(path)) await addEntry(call, posix.join(path, child), `${name}/${child}`);
}

async function extract({ files, stdin, signal }: CommandCall, folder: string): Promise<void> {
  if (!files.isFolder(folder)) throw new Error(`${folder}: Cannot open: No such file or directory`);
  for await (const { header, contents } of readTar(stdin)) {
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

// make-archive.js FOLDER [PLATFORM NODE]: writes the archive that needs no npm, cl-apiserver-VERSION.tar.gz, into a folder; with a
// name of a platform and its Node binary, cl-apiserver-VERSION-PLATFORM.tar.gz, which has that Node inside. The same sources make
// the same bytes: all files have the time of the last commit, or $SOURCE_DATE_EPOCH.
import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { blockBytes, encodeTarHeader, tarPadding, tarTypes } from '../../src/files/tar/tar-header.ts';
import { type ArchiveEntry, archiveEntries } from './archive-entries.ts';

const [, , folder = '.', platform, node] = process.argv;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const name = `cl-apiserver-${version}`;
const modifiedAtSeconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? lastCommitSeconds());

mkdirSync(folder, { recursive: true });
const file = path.join(folder, `${name}${platform === undefined ? '' : `-${platform}`}.tar.gz`);
await pipeline(Readable.from(tarOf(archiveEntries(node))), createGzip(), createWriteStream(file));
console.log(file);

function lastCommitSeconds(): string {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();
}

function* tarOf(entries: readonly ArchiveEntry[]): Iterable<Buffer> {
  const folders = new Set<string>();
  for (const { name: entry, source, executable } of entries) {
    for (const parent of parentsOf(`${name}/${entry}`)) {
      if (folders.has(parent)) continue;
      folders.add(parent);
      yield encodeTarHeader({ name: `${parent}/`, type: tarTypes.folder, size: 0, mode: 0o755, modifiedAtSeconds });
    }
    const contents = readFileSync(source);
    const mode = executable ? 0o755 : 0o644;
    const header = { name: `${name}/${entry}`, type: tarTypes.file, size: contents.length, mode, modifiedAtSeconds };
    yield Buffer.concat([encodeTarHeader(header), contents, tarPadding(contents.length)]);
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** The folders above a file, the outermost first. */
function parentsOf(entry: string): readonly string[] {
  const parts = entry.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

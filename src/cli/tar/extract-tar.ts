import { constants } from 'node:fs';
import { mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { makeDirectory } from '../../files/make-directory.ts';
import { readTar, type TarEntry } from '../../files/tar/read-tar.ts';
import { tarTypes } from '../../files/tar/tar-header.ts';

/** The place to which the entries of an archive are written. */
interface TarTarget {
  /** The first part of the names of all entries, which is left out. */
  readonly prefix: string;
  /** The file or the folder that is written. */
  readonly path: string;
  /** Called for what is left out. */
  readonly onSkipped: (why: string) => void;
}

/** Folders as other programs make them: the umask takes its part. */
const anyone = 0o777;

/**
 * Writes the files and folders of an archive. Nothing is written outside the target, whatever the
 * names of the archive and the links in the target are. Links of the archive are left out.
 */
export async function extractTar(chunks: AsyncIterable<Buffer>, target: TarTarget): Promise<void> {
  const root = resolve(target.path);
  for await (const entry of readTar(chunks)) {
    const { name, type } = entry.header;
    if (!name.startsWith(target.prefix)) throw new Error(`the archive has "${name}", which was not asked for`);
    const place = join(root, name.slice(target.prefix.length));
    if (!isWithin(root, place)) target.onSkipped(`file "${place}" is outside target destination`);
    else if (type === tarTypes.folder) await makeFolder(root, place);
    else if (type === tarTypes.file || type === '7') await writeEntry(root, place, entry);
    else target.onSkipped(`"${name}" is a link or no file`);
  }
}

function isWithin(root: string, place: string): boolean {
  const way = relative(root, place);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** Makes the folders down to a place. A link among them must not lead out of the target. */
async function makeFolder(root: string, place: string): Promise<void> {
  // Checked step by step: making a folder behind a link would already be outside.
  const steps = relative(root, place).split(sep).filter(Boolean);
  await makeDirectory(root, anyone);
  const real = await realpath(root);
  let at = root;
  for (const step of steps) {
    at = join(at, step);
    await mkdir(at).catch(ignoreExisting);
    if (!isWithin(real, await realpath(at))) throw new Error(`"${at}" is a link out of the target`);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function writeEntry(root: string, place: string, { header, contents }: TarEntry): Promise<void> {
  let file = place;
  if (place === root) {
    // The target is a file, or a folder that gets it.
    const isFolder = await stat(root).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) file = join(root, basename(header.name));
    else await makeDirectory(dirname(root), anyone);
  } else {
    await makeFolder(root, dirname(place));
  }
  // A link in the place of the file is not followed.
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | (place === root ? 0 : O_NOFOLLOW), 0o666);
  try {
    for await (const bytes of contents) await handle.write(bytes);
  } finally {
    await handle.close();
  }
}

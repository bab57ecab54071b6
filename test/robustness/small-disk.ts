import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeDirectory } from '../../src/files/make-directory.ts';

const run = promisify(execFile);

/** A file system of its own for one member of etcd, which can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  /** Gives it back. */
  free(): Promise<void>;
  close(): Promise<void>;
}

/** Two files of the write-ahead log, of 64 MB each, and a database of some megabytes. */
const megabytes = 150;
const pieceBytes = 1 << 20;

/** Mounts such a file system, in memory. Rejects where this machine does not permit that. */
export async function openSmallDisk(folder: string): Promise<SmallDisk> {
  await makeDirectory(folder);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    async fill() {
      const piece = Buffer.alloc(pieceBytes, 1);
      // Smaller pieces, until none has room.
      for (let size = pieceBytes; size >= 1; ) {
        const isWritten = await writeFile(filler, piece.subarray(0, size), { flag: 'a' }).then(
          () => true,
          () => false,
        );
        if (!isWritten) size >>= 1;
      }
    },
    free: () => rm(filler, { force: true }),
    close: async () => void (await run('umount', ['-l', folder])),
  };
}

import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** The limits at which a log file is replaced and old ones are deleted. */
export interface Rotation {
  readonly maxMegabytes: number;
  /** Days that a backup is kept; 0: age does not matter. */
  readonly maxAgeDays: number;
  /** The number of backups; 0: it does not matter. */
  readonly maxBackups: number;
  /** Compresses old files with gzip. */
  readonly compress: boolean;
}

const msPerDay = 24 * 60 * 60 * 1000;
const compressedEnd = '.gz';

/** Returns the name of an old file: `audit-2026-11-23T07-51-49.592.log` for `audit.log`. */
export function backupName(path: string, at: Date): string {
  const { start, end } = nameParts(path);
  return join(dirname(path), `${start}${at.toISOString().slice(0, -1).replaceAll(':', '-')}${end}`);
}

/** Deletes the old files of a log that are too old or too many, and compresses the others. */
export async function pruneBackups(path: string, rotation: Rotation, now: Date): Promise<void> {
  const { maxAgeDays, maxBackups, compress } = rotation;
  const backups = await backupsOf(path);
  const oldestMs = maxAgeDays > 0 ? now.getTime() - maxAgeDays * msPerDay : Number.NEGATIVE_INFINITY;
  const isKept = (backup: Backup, index: number): boolean =>
    backup.atMs >= oldestMs && (maxBackups === 0 || index < maxBackups);
  for (const [index, backup] of backups.entries()) {
    if (!isKept(backup, index)) await rm(backup.path, { force: true });
    else if (compress && !backup.path.endsWith(compressedEnd)) await compressFile(backup.path);
  }
}

interface Backup {
  readonly path: string;
  readonly atMs: number;
}

/** The old files of a log, the newest first. Other files of the folder are left alone. */
async function backupsOf(path: string): Promise<readonly Backup[]> {
  const { start, end } = nameParts(path);
  const names = await readdir(dirname(path));
  const backups = names.flatMap((name): Backup[] => {
    const plain = name.endsWith(compressedEnd) ? name.slice(0, -compressedEnd.length) : name;
    if (!plain.startsWith(start) || !plain.endsWith(end)) return [];
    const atMs = timeOf(plain.slice(start.length, plain.length - end.length));
    return Number.isNaN(atMs) ? [] : [{ path: join(dirname(path), name), atMs }];
  });
  return backups.toSorted((a, b) => b.atMs - a.atMs);
}

/** The parts of a backup's name around its time. */
function nameParts(path: string): { readonly start: string; readonly end: string } {
  const end = extname(path);
  return { start: `${basename(path, end)}-`, end };
}

const stamp = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/** The time in the name of an old file; NaN if there is none. */
function timeOf(text: string): number {
  const [, day, hour, minute, second] = stamp.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** A file that is compressed in part has another name, so that it is compressed again later. */
async function compressFile(path: string): Promise<void> {
  const partial = `${path}${compressedEnd}.partial`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600 }));
  await rename(partial, `${path}${compressedEnd}`);
  await rm(path, { force: true });
}

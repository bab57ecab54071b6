import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** More than the last words of a program. A log of months may not fit into memory. */
const mostBytes = 256 * 1024;

/**
 * Reads the end of a log, of what was written after `begin` bytes. Returns '' if there is nothing,
 * or the file cannot be read: it may have been removed, and a missing log is no reason to fail.
 */
export function readLogEnd(file: string, begin: number): string {
  try {
    const log = openSync(file, 'r');
    try {
      const { size } = fstatSync(log);
      // A file that is shorter than it was has been emptied since.
      const from = Math.max(begin > size ? 0 : begin, size - mostBytes);
      const bytes = Buffer.alloc(size - from);
      return bytes.subarray(0, readSync(log, bytes, 0, bytes.length, from)).toString();
    } finally {
      closeSync(log);
    }
  } catch {
    return '';
  }
}

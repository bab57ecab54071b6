import { type FileHandle, open, stat } from 'node:fs/promises';

/** A log that a program writes, and may replace by a new file of the same name. */
export interface GrowingFile {
  /** The last whole lines that are wanted, the earliest first; later calls begin after them. */
  lastLines(most: number, isWanted: (line: string) => boolean): Promise<string[]>;
  /** The whole lines since the last call, including lines of a file that has replaced it. */
  newLines(): Promise<string[]>;
  close(): Promise<void>;
}

const pieceBytes = 1024 * 1024;
const newline = 0x0a;

/** Opens a log. Rejects if there is none. */
export async function openGrowingFile(path: string): Promise<GrowingFile> {
  let file = await open(path);
  let offset = 0;
  /** The beginning of a line that is not complete. */
  let rest: Buffer = Buffer.alloc(0);

  async function readOn(): Promise<string[]> {
    const { size } = await file.stat();
    // A file that is shorter was emptied.
    if (size < offset) [offset, rest] = [0, Buffer.alloc(0)];
    const lines: string[] = [];
    while (offset < size) {
      const piece = await readPiece(file, offset, Math.min(size, offset + pieceBytes));
      if (piece.length === 0) break;
      offset += piece.length;
      const end = piece.lastIndexOf(newline) + 1;
      // A piece may have more lines than a call may have arguments.
      if (end > 0) for (const line of linesOf(Buffer.concat([rest, piece.subarray(0, end)]))) lines.push(line);
      rest = end > 0 ? Buffer.from(piece.subarray(end)) : Buffer.concat([rest, piece]);
    }
    return lines;
  }

  return {
    async lastLines(most, isWanted) {
      const { size } = await file.stat();
      const { lines, end } = await readBackwards(file, size, most, isWanted);
      offset = end;
      return lines;
    },
    async newLines() {
      const lines = await readOn();
      const [now, known] = [await stat(path).catch(() => undefined), await file.stat()];
      // While it is being replaced there is none.
      if (!now || (now.ino === known.ino && now.dev === known.dev)) return lines;
      const next = await open(path).catch(() => undefined);
      if (!next) return lines;
      // The old one may have more lines by now.
      const before = [...lines, ...(await readOn())];
      await file.close();
      [file, offset, rest] = [next, 0, Buffer.alloc(0)];
      return [...before, ...(await readOn())];
    },
    close: () => file.close(),
  };
}

/** Reads a file from its end until there are enough lines; `end` is after the last whole one. */
async function readBackwards(
  file: FileHandle,
  size: number,
  most: number,
  isWanted: (line: string) => boolean,
): Promise<{ readonly lines: string[]; readonly end: number }> {
  let found: string[] = [];
  let end: number | undefined;
  /** The end of the line that begins in the piece before. */
  let after: Buffer = Buffer.alloc(0);
  for (let start = size; start > 0 && (found.length < most || end === undefined); ) {
    const from = Math.max(0, start - pieceBytes);
    const piece = Buffer.concat([await readPiece(file, from, start), after]);
    start = from;
    if (end === undefined) {
      const last = piece.lastIndexOf(newline) + 1;
      if (last === 0 && start > 0) {
        after = piece;
        continue;
      }
      end = start + last;
    }
    const whole = piece.subarray(0, Math.min(piece.length, Math.max(0, end - start)));
    const first = start === 0 ? 0 : whole.indexOf(newline) + 1;
    found = [...linesOf(whole.subarray(first)).filter(isWanted), ...found];
    after = Buffer.from(whole.subarray(0, first));
  }
  return { lines: most === 0 ? [] : found.slice(-most), end: end ?? 0 };
}

async function readPiece(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').filter(Boolean);
}

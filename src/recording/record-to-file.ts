import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Client } from '../client/client.ts';
import { recordChanges, type RecordOptions } from './record-changes.ts';
import { recordingHead, recordingLine } from './recording-file.ts';

/**
 * Records into a file, which only its owner can read; one of that name is replaced. Returns the
 * number of entries. With `follow` it ends when the signal aborts, and each change is in the file
 * soon, so that a process that is killed loses at most its last line.
 */
export async function recordToFile(
  client: Client,
  file: string,
  options: RecordOptions,
  signal: AbortSignal,
): Promise<number> {
  const handle = await open(file, 'w', 0o600);
  // The mode counts for new files alone; a device keeps its own.
  if ((await handle.stat()).isFile()) await handle.chmod(0o600);
  const target = handle.createWriteStream();
  const ended = finished(target);
  const failed = new AbortController();
  ended.catch((error: unknown) => failed.abort(error));
  let count = 0;
  let room: Promise<void> | undefined;
  target.write(recordingHead());
  try {
    await recordChanges(
      client,
      options,
      (entry) => {
        count++;
        // All entries that do not fit wait for the same event.
        if (!target.write(recordingLine(entry, client.codec))) {
          room ??= drained(target, failed.signal).finally(() => (room = undefined));
        }
        return room;
      },
      AbortSignal.any([signal, failed.signal]),
    );
  } finally {
    target.end();
    await ended;
  }
  return count;
}

async function drained(target: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  // A failed file ends the recording by its signal.
  await once(target, 'drain', { signal }).catch(() => undefined);
}

import type { Client } from '../client/client.ts';
import { readRecording } from './recording-file.ts';
import { replayChanges, type ReplayOptions, type ReplaySummary } from './replay-changes.ts';

/**
 * Writes the recording in a file to a server. Damaged lines and refused objects are problems, and
 * the rest goes on. Throws RecordingError if the file is no recording.
 */
export function replayFile(
  client: Client,
  file: string,
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<ReplaySummary> {
  const entries = readRecording(file, client.codec, options.onProblem ?? (() => {}));
  return replayChanges(client, entries, options, signal);
}

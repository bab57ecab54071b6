import { RecordingError } from '../recording/recording-file.ts';
import { CliError } from './cli-error.ts';

/** An error of a restored snapshot, with the next step if the store has keys already. */
export function withStoreHint(error: unknown, hint: string): unknown {
  const isFull = error instanceof RecordingError && error.code === 'StoreNotEmpty';
  return isFull ? new CliError(error.message, { hint, cause: error }) : error;
}

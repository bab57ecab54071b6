import { randomBytes } from 'node:crypto';

/**
 * A name for a file that is written beside another one and then takes its place. Nobody can guess
 * it, and prepare a link of that name in a folder of many users.
 */
export function temporaryName(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}`;
}

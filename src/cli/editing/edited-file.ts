import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** A temporary file that only its owner may read: objects can have secrets. */
export interface EditedFile {
  readonly path: string;
  write(text: string): Promise<void>;
  read(): Promise<string>;
  remove(): Promise<void>;
}

const mode = 0o600;

/** Makes the file for one run of a command; `extension` tells editors what it has. */
export async function createEditedFile(extension: string, { env }: Pick<CliIo, 'env'>): Promise<EditedFile> {
  const name = `cl-edit-${randomBytes(6).toString('hex')}.${extension}`;
  const path = join(env.TMPDIR || tmpdir(), name);
  const failed = (cause: unknown): never => {
    throw new CliError(`the file ${path} for the editor cannot be used`, {
      hint: cause instanceof Error ? cause.message : '',
      cause,
    });
  };
  await writeFile(path, '', { mode, flag: 'wx' }).catch(failed);
  return {
    path,
    write: (text) => writeFile(path, text, { mode }).catch(failed),
    async read() {
      const text = await readFile(path, 'utf8').catch(failed);
      // Some editors replace the file by one of their own.
      await chmod(path, mode).catch(failed);
      return text;
    },
    remove: () => rm(path, { force: true }),
  };
}

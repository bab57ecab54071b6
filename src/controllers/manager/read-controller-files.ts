import { readFile } from 'node:fs/promises';
import type { ControllerOptions } from '../options/controller-flags.ts';

/** The contents of files that controllers read once, in PEM; undefined: not named. */
interface ControllerFiles {
  readonly rootCa: string | undefined;
  readonly serviceAccountKey: string | undefined;
}

/** Reads the files that the options of controllers name. */
export async function readControllerFiles(options: Partial<ControllerOptions>): Promise<ControllerFiles> {
  const [rootCa, serviceAccountKey] = await Promise.all(
    [options['root-ca-file'], options['service-account-private-key-file']].map(readNamed),
  );
  return { rootCa, serviceAccountKey };
}

async function readNamed(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : readFile(file, 'utf8');
}

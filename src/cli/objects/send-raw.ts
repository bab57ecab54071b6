import { CliError } from '../cli-error.ts';
import type { Session } from '../find-type.ts';
import { type ManifestPlaces, readManifestFiles } from '../manifests/manifest-files.ts';
import type { DryRun } from '../write-flags.ts';

/** The flags of a command that sends a file as it is. */
interface RawOptions extends ManifestPlaces {
  readonly dryRun: DryRun;
}

/**
 * Sends the first file to a path of the server (`--raw`) and prints the answer. Throws `CliError`
 * for a dry run: the path would have to ask for it, and a flag that does nothing deceives.
 */
export async function sendRaw(
  { client, io }: Session,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: RawOptions,
): Promise<void> {
  if (options.dryRun !== 'none') {
    throw new CliError('--dry-run cannot be used with --raw', { hint: 'the path itself can have ?dryRun=All' });
  }
  const [file] = method === 'DELETE' ? [] : await readManifestFiles(options, io);
  const body = method === 'DELETE' ? {} : { body: file?.bytes ?? Buffer.alloc(0), contentType: 'application/json' };
  io.stdout.write(await client.transport.request({ method, path, ...body, signal: io.signal }));
}

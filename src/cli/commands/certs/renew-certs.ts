import { join, resolve } from 'node:path';
import { renewCertificates } from '../../../pki/cluster/renew-certificates.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import type { renewFlags } from './flags.ts';

/** `cl certs renew [NAME...]`: issues certificates again, which running servers then read. */
export async function renewCerts({ words, options, io }: Invocation<typeof renewFlags>): Promise<void> {
  const directory = resolve(io.directory, options.certDir);
  try {
    await renewCertificates({
      directory,
      names: words,
      withinMs: options.within,
      newKeys: options.newKeys,
      lifetimeMs: options.lifetime,
      onFile: (path, outcome) => {
        io.stdout.write(visibleLine(`${outcome} ${join(options.certDir, path.slice(directory.length))}`));
      },
    });
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw new CliError(error.message, { hint: '"cl certs check" shows all certificates', cause: error });
  }
}

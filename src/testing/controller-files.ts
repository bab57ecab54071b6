import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ControllerOptions } from '../controllers/options/controller-flags.ts';
import { ensureAuthority } from '../pki/ensure-authority.ts';
import { ensureKeyFile } from '../pki/key-files.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** The options of a server that name keys which its controllers share. */
type TrustOptions = Partial<Pick<ServerOptions, 'certDir' | 'clientCaFile' | 'serviceAccountSigningKeyFile'>>;

/** Options of the server and of its controllers that fit each other. */
interface SharedFiles {
  readonly server: TrustOptions;
  readonly controllers: Partial<ControllerOptions>;
  /** Removes the files that were created. */
  readonly remove: () => Promise<void>;
}

/**
 * Creates the keys that the controllers of a server need and that are not configured: the CA of its
 * clients, with which they sign certificates, and the key of the tokens in Secrets. The key of a
 * configured CA is not known: its certificates are signed if the options of the controllers say so.
 * Files in `certDir` stay, as the server's own.
 */
export async function shareFiles(server: TrustOptions, controllers: Partial<ControllerOptions>): Promise<SharedFiles> {
  const { certDir } = server;
  const directory = certDir ?? (await mkdtemp(path.join(tmpdir(), 'cl-testing-keys-')));
  const accountKey = server.serviceAccountSigningKeyFile ?? path.join(directory, 'service-account.key');
  const [authority] = await Promise.all([
    server.clientCaFile === undefined ? ensureAuthority(directory, 'client-ca', 'client-ca') : undefined,
    server.serviceAccountSigningKeyFile === undefined ? ensureKeyFile(accountKey) : undefined,
  ]);
  return {
    server: {
      serviceAccountSigningKeyFile: accountKey,
      ...(authority ? { clientCaFile: authority.certFile } : {}),
    },
    controllers: {
      'service-account-private-key-file': accountKey,
      ...(authority
        ? { 'cluster-signing-cert-file': authority.certFile, 'cluster-signing-key-file': authority.keyFile }
        : {}),
      ...controllers,
    },
    remove: async () => {
      if (certDir === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

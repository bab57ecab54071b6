import { join } from 'node:path';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { issueClientCertificate } from '../../pki/issue-client-certificate.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { certificateConfigText } from '../client-config-files/certificate-config-text.ts';

/** The files of the admin's certificate and client config. */
export interface AdminConfig {
  readonly configFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly settings: ConnectionSettings;
}

/** Each start issues a new certificate. */
const adminLifetimeMs = 365 * 24 * 3600_000;

/** Issues an admin certificate (group `system:masters`) and writes a client config that uses it. */
export async function writeAdminConfig(options: {
  readonly dataDir: string;
  readonly identifiers: Identifiers;
  readonly server: string;
  readonly servingCaPem: string;
  readonly clientAuthority: CertificateAuthority;
}): Promise<AdminConfig> {
  const { dataDir, identifiers, server, servingCaPem, clientAuthority } = options;
  const admin = { username: 'admin', groups: ['system:masters'] };
  const { certPem, keyPem } = await issueClientCertificate(clientAuthority, admin, adminLifetimeMs);
  const configFile = join(dataDir, `admin.${identifiers.clientConfig}`);
  const certFile = join(dataDir, 'admin.crt');
  const keyFile = join(dataDir, 'admin.key');
  // Keys and certificates are embedded, so that the file can be copied.
  const text = certificateConfigText(identifiers.product, {
    server,
    user: 'admin',
    ca: { pem: servingCaPem },
    cert: { pem: certPem },
    key: { pem: keyPem },
  });
  await Promise.all([
    replaceFile(certFile, certPem, 0o644),
    replaceFile(keyFile, keyPem, 0o600),
    replaceFile(configFile, text, 0o600),
  ]);
  return {
    configFile,
    certFile,
    keyFile,
    settings: { server, ca: servingCaPem, cert: certPem, key: keyPem, namespace: 'default' },
  };
}

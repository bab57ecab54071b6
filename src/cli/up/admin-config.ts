import { join } from 'node:path';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { issueClientCertificate } from '../../pki/issue-client-certificate.ts';
import { replaceFile } from '../../files/replace-file.ts';

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
  await Promise.all([
    replaceFile(certFile, certPem, 0o644),
    replaceFile(keyFile, keyPem, 0o600),
    replaceFile(configFile, configText(identifiers.product, server, servingCaPem, certPem, keyPem), 0o600),
  ]);
  return {
    configFile,
    certFile,
    keyFile,
    settings: { server, ca: servingCaPem, cert: certPem, key: keyPem, namespace: 'default' },
  };
}

/**
 * Values are written as they are, which is valid YAML. Keys and certificates are embedded, so
 * that the file can be copied.
 */
function configText(name: string, server: string, ca: string, cert: string, key: string): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(ca)}
users:
- name: admin
  user:
    client-certificate-data: ${base64(cert)}
    client-key-data: ${base64(key)}
contexts:
- name: admin@${name}
  context:
    cluster: ${name}
    user: admin
current-context: admin@${name}
`;
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64');
}

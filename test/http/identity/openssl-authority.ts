import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ClientCertificate } from './certificate-authority.ts';

const run = promisify(execFile);

/** The certificate of a CA or a client to create; the product itself makes no such certificates. */
interface Order {
  /** As `openssl req -subj`: `/O=a/CN=b`, and `/userUid=c` for the UID of a user. */
  readonly subject: string;
  /** Lines of X.509 extensions. */
  readonly extensions?: readonly string[];
  /** The private key; a new one of P-256 by default. */
  readonly key?: KeyObject;
  /** The hash of the signature. */
  readonly hash?: string;
}

/** A certificate with its key, which can sign others. */
interface IssuedCertificate extends ClientCertificate {
  issue(order: Order): Promise<IssuedCertificate>;
}

/** The extensions of a CA and of a client. */
export const caExtensions = ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign'];
export const clientExtensions = ['basicConstraints=CA:false', 'extendedKeyUsage=clientAuth'];

/** OpenSSL does not know the name of this attribute. */
const requestConfig =
  'oid_section=names\n[names]\nuserUid=1.3.6.1.4.1.57683.2\n[req]\ndistinguished_name=subject\n[subject]\n';

const ecKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** Creates a root CA with openssl. */
export function createRoot(subject: string): Promise<IssuedCertificate> {
  return create({ subject, extensions: caExtensions }, undefined);
}

async function create(order: Order, issuer: ClientCertificate | undefined): Promise<IssuedCertificate> {
  const { subject, extensions = clientExtensions, key = ecKey(), hash = 'sha256' } = order;
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-openssl-'));
  const file = (name: string): string => path.join(directory, name);
  const openssl = (...args: string[]) => run('openssl', args);
  try {
    await writeFile(file('key'), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await writeFile(file('config'), requestConfig);
    await openssl(
      'req',
      '-new',
      '-utf8',
      '-config',
      file('config'),
      '-key',
      file('key'),
      '-subj',
      subject,
      '-out',
      file('request'),
    );
    await writeFile(file('extensions'), extensions.join('\n'));
    const signer = ['-signkey', file('key')];
    if (issuer) {
      await writeFile(file('issuer.crt'), issuer.certPem);
      await writeFile(file('issuer.key'), issuer.keyPem);
      signer.splice(0, 2, '-CA', file('issuer.crt'), '-CAkey', file('issuer.key'), '-CAcreateserial');
    }
    const output = ['-extfile', file('extensions'), '-days', '1', '-out', file('crt')];
    await openssl('x509', '-req', '-in', file('request'), `-${hash}`, ...signer, ...output);
    const own = { certPem: await readFile(file('crt'), 'utf8'), keyPem: await readFile(file('key'), 'utf8') };
    return { ...own, issue: (next) => create(next, own) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

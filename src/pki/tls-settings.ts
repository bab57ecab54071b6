import { X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/** The accepted names of `--tls-min-version`. Older versions are not offered (RFC 8996). */
export const tlsVersions = ['VersionTLS12', 'VersionTLS13'] as const;

/** A TLS version by the name that Go programs use. */
type TlsVersion = (typeof tlsVersions)[number];

const nodeVersions = { VersionTLS12: 'TLSv1.2', VersionTLS13: 'TLSv1.3' } as const;

/** OpenSSL's names of the cipher suites by their IANA names. */
const suites: Readonly<Record<string, string>> = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
};

/** The accepted names of `--tls-cipher-suites`. */
export const cipherSuiteNames: readonly string[] = Object.keys(suites);

/** The suites with forward secrecy and authenticated encryption. */
const defaultSuites = cipherSuiteNames.filter((name) => !/_CBC_|^TLS_RSA_/.test(name));

/** The suites of TLS 1.3. They are always enabled, as in Go. */
const newestSuites = cipherSuiteNames.filter((name) => !name.includes('_WITH_'));

/** The reason why names of cipher suites are refused; undefined if they are valid. */
export function cipherSuiteError(names: readonly string[]): string | undefined {
  const unknown = names.filter((name) => !Object.hasOwn(suites, name));
  if (unknown.length === 0) return undefined;
  return `${unknown.join(', ')} is not one of ${cipherSuiteNames.join(', ')}`;
}

/** OpenSSL's names of the groups of key exchanges by their numbers. */
export const tlsGroups: Readonly<Record<string, string>> = { 23: 'P-256', 24: 'P-384', 25: 'P-521', 29: 'X25519' };

/** TLS options for a lowest version and cipher suites. Throws `RangeError` for unknown suites. */
export function tlsSettings(
  version: TlsVersion,
  names: readonly string[],
  groups: readonly string[] = [],
): SecureContextOptions {
  const problem = cipherSuiteError(names);
  if (problem !== undefined) throw new RangeError(`--tls-cipher-suites: ${problem}`);
  const enabled = names.length === 0 ? defaultSuites : [...newestSuites, ...names];
  const ciphers = [...new Set(enabled.map((name) => suites[name]))].join(':');
  const curve = groups.length === 0 ? {} : { ecdhCurve: groups.join(':') };
  return { minVersion: nodeVersions[version], ciphers, honorCipherOrder: true, ...curve };
}

/** Signature algorithms (RFC 8446 section 4.2.3) by the type of the key. */
const signatures: Readonly<Record<string, readonly string[]>> = {
  ec: ['ecdsa_secp256r1_sha256', 'ecdsa_secp384r1_sha384', 'ecdsa_secp521r1_sha512'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
  'rsa-pss': ['rsa_pss_pss_sha256', 'rsa_pss_pss_sha384', 'rsa_pss_pss_sha512'],
  rsa: [
    'rsa_pss_rsae_sha256',
    'rsa_pss_rsae_sha384',
    'rsa_pss_rsae_sha512',
    'rsa_pkcs1_sha256',
    'rsa_pkcs1_sha384',
    'rsa_pkcs1_sha512',
  ],
};

/**
 * TLS options with which the key of the default certificate is the last choice. Node adds the
 * certificate for a name to the default one, and replaces that only if the keys have the same type;
 * with keys of two types OpenSSL would choose by its own order, and not by the name.
 */
export function preferOtherKeys(defaultCertificate: string, settings: SecureContextOptions): SecureContextOptions {
  const type = new X509Certificate(defaultCertificate).publicKey.asymmetricKeyType ?? '';
  const own = signatures[type] ?? [];
  const others = Object.values(signatures)
    .flat()
    .filter((name) => !own.includes(name));
  const ownSuites = type.startsWith('rsa') ? /^(ECDHE-RSA-|AES)/ : /^ECDHE-ECDSA-/;
  const suitesInOrder = settings.ciphers?.split(':') ?? [];
  const last = suitesInOrder.filter((name) => ownSuites.test(name));
  return {
    ...settings,
    sigalgs: [...others, ...own].join(':'),
    ciphers: [...suitesInOrder.filter((name) => !last.includes(name)), ...last].join(':'),
  };
}

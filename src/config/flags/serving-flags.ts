import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, type FlagType, integer, list, repeated, text } from '../../flags/flag-types.ts';
import { maxConcurrentStreams } from '../../http-protocol/messages/server-settings.ts';
import { checkPlainIp } from '../../resources/rules/fields/ip.ts';
import { type SniCertificateFiles, sniCertificateFiles } from './sni-certificates.ts';
import { cipherSuiteError, cipherSuiteNames, tlsVersions } from '../../pki/tls-settings.ts';
import { curveNumbers, tlsCurves } from '../../flags/tls-curves.ts';

const file = text('file');
const sniCertificates: FlagType<readonly SniCertificateFiles[]> = repeated(sniCertificateFiles);

/** Other addresses would be refused in the Endpoints of the API. */
const reachableAddress = checked(text('address'), (address) =>
  checkPlainIp('', address).length === 0 ? undefined : 'use an IP address that other machines can reach',
);

/** The flags of the listener and of its connections. */
export const servingFlags = inSection('Serving', {
  bindAddress: {
    flag: 'bind-address',
    type: text('address'),
    default: '0.0.0.0',
    embedded: '127.0.0.1',
    help: 'address to listen on',
  },
  /**
   * The address published in the endpoints of the API's Service; the default is one of this
   * machine.
   */
  advertiseAddress: {
    flag: 'advertise-address',
    type: reachableAddress,
    help: 'address at which clients in the cluster reach this server; by default an address of this machine',
  },
  /** 0 takes a free port. */
  securePort: {
    flag: 'secure-port',
    type: integer('port', 0, 65_535),
    default: 6443,
    embedded: 0,
    help: 'port to listen on; 0 uses a free port',
  },
  /** Both files or none; without them a CA and a certificate are created. */
  tlsCertFile: {
    flag: 'tls-cert-file',
    type: file,
    help: 'serving certificate, followed by its intermediate certificates',
  },
  tlsPrivateKeyFile: {
    flag: 'tls-private-key-file',
    type: file,
    help: 'private key of the serving certificate',
  },
  /** Certificates for clients that connect under other names. */
  tlsSniCertKeys: {
    flag: 'tls-sni-cert-key',
    type: sniCertificates,
    default: [],
    help:
      'certificate and key files for clients that connect under other names, as cert,key[:name,...]; the default names ' +
      'are those of the certificate, and a name may begin with *. ; repeat the flag for several certificates',
  },
  /** The lowest TLS version. */
  tlsMinVersion: {
    flag: 'tls-min-version',
    type: choice('version', tlsVersions),
    default: 'VersionTLS12',
    help: `lowest TLS version: ${tlsVersions.join(' or ')}`,
  },
  /** Cipher suites for TLS 1.2, by their IANA names; empty: those with authenticated encryption. */
  tlsCipherSuites: {
    flag: 'tls-cipher-suites',
    type: checked(list('suites'), cipherSuiteError),
    default: [],
    help: `cipher suites; by default those with forward secrecy and authenticated encryption of: ${cipherSuiteNames.join(', ')}`,
  },
  /** Directory for the created CA and certificate; undefined: they are in memory only. */
  certDir: {
    flag: 'cert-dir',
    type: text('directory'),
    default: 'pki',
    embedded: undefined,
    help: 'directory of the CA and serving certificate that are generated without --tls-cert-file',
  },
  /** The groups of TLS key exchanges, by their names in OpenSSL; empty: Node's default. */
  tlsCurves: {
    flag: 'tls-curve-preferences',
    type: tlsCurves,
    default: [],
    help: `numbers of the groups of key exchanges (RFC 8446 section 4.2.7): ${curveNumbers.join(', ')}; empty: those of Node`,
  },
  /** Serves HTTP/1.1 only. */
  disableHttp2: {
    flag: 'disable-http2-serving',
    type: boolean,
    default: false,
    help: 'serve HTTP/1.1 only',
  },
  /** Sets SO_REUSEPORT, so that several processes can listen on one address and port. */
  permitPortSharing: {
    flag: 'permit-port-sharing',
    type: boolean,
    default: false,
    help: 'let other processes listen on the same address and port (SO_REUSEPORT); needs Node 23.1',
  },
  /** The maximum number of concurrent requests on one HTTP/2 connection. */
  http2MaxStreamsPerConnection: {
    flag: 'http2-max-streams-per-connection',
    type: integer('number', 1),
    default: maxConcurrentStreams,
    help: 'limit of concurrent requests on one HTTP/2 connection',
  },
});

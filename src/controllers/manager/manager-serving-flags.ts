import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, integer, list, text } from '../../flags/flag-types.ts';
import { curveNumbers, tlsCurves } from '../../flags/tls-curves.ts';
import { cipherSuiteError, tlsVersions } from '../../pki/tls-settings.ts';

/** The flags of the health endpoints of the controller manager. */
export const managerServingFlags = inSection('Health', {
  'bind-address': {
    type: text('address'),
    default: '127.0.0.1',
    help: 'address on which the health endpoints listen',
  },
  'health-port': {
    type: integer('port', 0, 65_535),
    default: 10_257,
    help: 'port of /healthz, /livez, /readyz and /metrics, over plain HTTP; 0 uses a free port',
  },
  'secure-port': {
    type: integer('port', 0, 65_535),
    help: 'the same over HTTPS, in place of --health-port; 0 serves no health endpoints',
  },
  'tls-cert-file': {
    type: text('file'),
    help: 'certificate of --secure-port, in PEM; default: a generated one, in memory',
  },
  'tls-private-key-file': {
    type: text('file'),
    help: 'private key of that certificate',
  },
  'tls-min-version': {
    type: choice('version', tlsVersions),
    default: 'VersionTLS12',
    help: `lowest TLS version of --secure-port: ${tlsVersions.join(' or ')}`,
  },
  'tls-cipher-suites': {
    type: checked(list('suites'), cipherSuiteError),
    default: Object.freeze([]),
    help: 'cipher suites of --secure-port, by their IANA names; default: those with forward secrecy',
  },
  'tls-curve-preferences': {
    type: tlsCurves,
    default: Object.freeze([]),
    help: `numbers of the groups of key exchanges of --secure-port: ${curveNumbers.join(', ')}`,
  },
  'permit-port-sharing': {
    type: boolean,
    default: false,
    help: 'let other processes listen on the same address and port (SO_REUSEPORT); needs Node 23.1',
  },
  'disabled-metrics': {
    type: list('names'),
    default: Object.freeze([]),
    help: 'names of families of metrics that are not shown',
  },
  'tls-sni-cert-key': {
    type: text('files'),
    noEffect: 'health endpoints have one certificate',
    help: 'certificates for other names',
  },
  'cert-dir': {
    type: text('directory'),
    noEffect: 'a certificate that is generated stays in memory',
    help: 'directory of the generated certificate',
  },
});

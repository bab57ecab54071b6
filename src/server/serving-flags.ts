import { defined } from '../meta/defined.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, choice, type FlagType, FlagValueError, integer, list, repeated, text } from '../flags/flag-types.ts';
import { checkPlainIp } from '../resources/rules/fields/ip.ts';
import { corsOriginFault } from './cors-origins.ts';
import { defaultServingOptions, type ServingOptions } from './serving-options.ts';
import { sniCertificateFiles } from './sni-certificates.ts';
import { cipherSuiteFault, cipherSuiteNames, tlsVersions } from './tls-settings.ts';

const section = 'Serving';
const file = text('file');

/** A larger share would keep clients busy with handshakes. */
const largestGoawayChance = 0.02;

const chance: FlagType<number> = {
  placeholder: 'share',
  parse: (given) => {
    const share = Number(given);
    if (!/^[0-9.]+$/.test(given) || !(share >= 0 && share <= largestGoawayChance)) {
      throw new FlagValueError(`use a number from 0 to ${largestGoawayChance}`);
    }
    return share;
  },
  format: String,
};

/** Other addresses would be refused in the Endpoints of the API. */
const reachableAddress = checked(text('address'), (address) =>
  checkPlainIp('', address).length === 0 ? undefined : 'use an IP address that other machines can reach',
);

const directives = checked(list('directives'), (given) =>
  given.every((directive) => /^(?:includeSubDomains|preload|max-age=[0-9]{1,12})$/.test(directive))
    ? undefined
    : 'use max-age=<seconds>, includeSubDomains and preload',
);

/** The flags of the listener and of its connections. */
export const servingFlags = {
  'bind-address': { type: text('address'), default: '0.0.0.0', section, help: 'address to listen on' },
  'advertise-address': {
    type: reachableAddress,
    default: undefined,
    section,
    help: 'address at which clients in the cluster reach this server; by default an address of this machine',
  },
  'secure-port': {
    type: integer('port', 0, 65_535),
    default: 6443,
    section,
    help: 'port to listen on; 0 uses a free port',
  },
  'tls-cert-file': {
    type: file,
    default: undefined,
    section,
    help: 'serving certificate, followed by its intermediate certificates',
  },
  'tls-private-key-file': {
    type: file,
    default: undefined,
    section,
    help: 'private key of the serving certificate',
  },
  'tls-sni-cert-key': {
    type: repeated(sniCertificateFiles),
    default: [],
    section,
    help:
      'certificate and key files for clients that connect under other names, as cert,key[:name,...]; the default names ' +
      'are those of the certificate, and a name may begin with *. ; repeat the flag for several certificates',
  },
  'tls-min-version': {
    type: choice('version', tlsVersions),
    default: defaultServingOptions.tlsMinVersion,
    section,
    help: `lowest TLS version: ${tlsVersions.join(' or ')}`,
  },
  'tls-cipher-suites': {
    type: checked(list('suites'), cipherSuiteFault),
    default: defaultServingOptions.tlsCipherSuites,
    section,
    help: `cipher suites; by default those with forward secrecy and authenticated encryption of: ${cipherSuiteNames.join(', ')}`,
  },
  'cert-dir': {
    type: text('directory'),
    default: 'pki',
    section,
    help: 'directory of the CA and serving certificate that are generated without --tls-cert-file',
  },
  'http2-max-streams-per-connection': {
    type: integer('number', 1),
    default: defaultServingOptions.http2MaxStreamsPerConnection,
    section,
    help: 'limit of concurrent requests on one HTTP/2 connection',
  },
  'goaway-chance': {
    type: chance,
    default: defaultServingOptions.goawayChance,
    section,
    help:
      `share of HTTP/2 requests, up to ${largestGoawayChance}, after which a client has to connect again, so that a load ` +
      'balancer can spread clients over several servers',
  },
  'cors-allowed-origins': {
    type: checked(list('patterns'), (patterns) => patterns.map(corsOriginFault).find((fault) => fault !== undefined)),
    default: defaultServingOptions.corsAllowedOrigins,
    section,
    help: 'regular expressions of the origins whose web pages may send requests, such as ^https://console\\.example\\.com$',
  },
  'strict-transport-security-directives': {
    type: directives,
    default: defaultServingOptions.strictTransportSecurityDirectives,
    section,
    help: 'directives of the header Strict-Transport-Security, such as max-age=31536000,includeSubDomains; empty: no header',
  },
} as const satisfies FlagTable;

/** The options that the flags set. */
export function servingOptionsOf(values: FlagValues<typeof servingFlags>): ServingOptions {
  return {
    ...defaultServingOptions,
    bindAddress: values['bind-address'],
    securePort: values['secure-port'],
    certDir: values['cert-dir'],
    ...defined({
      advertiseAddress: values['advertise-address'],
      tlsCertFile: values['tls-cert-file'],
      tlsPrivateKeyFile: values['tls-private-key-file'],
    }),
    tlsSniCertKeys: values['tls-sni-cert-key'],
    tlsMinVersion: values['tls-min-version'],
    tlsCipherSuites: values['tls-cipher-suites'],
    http2MaxStreamsPerConnection: values['http2-max-streams-per-connection'],
    goawayChance: values['goaway-chance'],
    corsAllowedOrigins: values['cors-allowed-origins'],
    strictTransportSecurityDirectives: values['strict-transport-security-directives'],
  };
}

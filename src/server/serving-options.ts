import { maxConcurrentStreams } from '../http/server-settings.ts';
import type { SniCertificateFiles } from './sni-certificates.ts';
import type { TlsVersion } from './tls-settings.ts';

/** The options of the listener and of its connections. */
export interface ServingOptions {
  readonly bindAddress: string;
  /**
   * The address published in the endpoints of the API's Service; the default is one of this
   * machine.
   */
  readonly advertiseAddress?: string;
  /** 0 takes a free port. */
  readonly securePort: number;
  /** Both files or none; without them a CA and a certificate are created. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** Directory for the created CA and certificate; undefined: they are in memory only. */
  readonly certDir?: string;
  /**
   * Interval for reading all certificate files again (serving, client CA, etcd), in milliseconds;
   * 0: never.
   */
  readonly certificateReloadMs: number;
  /** Certificates for clients that connect under other names. */
  readonly tlsSniCertKeys: readonly SniCertificateFiles[];
  /** The lowest TLS version. */
  readonly tlsMinVersion: TlsVersion;
  /** Cipher suites for TLS 1.2, by their IANA names; empty: those with authenticated encryption. */
  readonly tlsCipherSuites: readonly string[];
  /** The maximum number of concurrent requests on one HTTP/2 connection. */
  readonly http2MaxStreamsPerConnection: number;
  /** The share of HTTP/2 requests after which a client has to connect again, up to 0.02. */
  readonly goawayChance: number;
  /** Regular expressions of the origins whose web pages may send requests. */
  readonly corsAllowedOrigins: readonly string[];
  /** Directives of the header `Strict-Transport-Security`; empty: it is not sent. */
  readonly strictTransportSecurityDirectives: readonly string[];
}

/** The defaults of these options. */
export const defaultServingOptions: ServingOptions = Object.freeze({
  bindAddress: '127.0.0.1',
  securePort: 0,
  certificateReloadMs: 10_000,
  tlsSniCertKeys: Object.freeze([]),
  tlsMinVersion: 'VersionTLS12',
  tlsCipherSuites: Object.freeze([]),
  http2MaxStreamsPerConnection: maxConcurrentStreams,
  goawayChance: 0,
  corsAllowedOrigins: Object.freeze([]),
  strictTransportSecurityDirectives: Object.freeze([]),
});

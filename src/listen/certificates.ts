import type { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { EtcdTls } from '../etcd/endpoint.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { nodeAgentFlag } from '../identifiers/node-agent-flag.ts';
import type { DialTls } from '../outbound/dial.ts';
import { decodePem } from '../pki/pem.ts';
import { trustAnchors } from '../pki/trust-anchors.ts';
import type { NodeAgentOptions } from '../config/flags/node-agent-flags.ts';
import { readCertificates, readPrivateKey } from '../config/flags/pem-files.ts';
import { Reloaded } from './reloaded.ts';
import type { ServerOptions } from '../config/server-options.ts';
import type { StoreOptions } from '../config/flags/store-options.ts';
import { readSniCertificates, type SniCertificate } from '../config/flags/sni-certificates.ts';
import { type ServingCertificate, servingCertificate } from './serving-certificate.ts';

/**
 * The certificates of a server. Their files are read again while it runs, so that they can be
 * replaced.
 */
export interface Certificates {
  readonly serving: Reloaded<ServingCertificate>;
  /** PEM of the client CA bundle; undefined: client certificates identify nobody. */
  readonly clientCa: Reloaded<string> | undefined;
  /** PEM of the CA bundle of an authenticating proxy; undefined without a proxy. */
  readonly frontProxyCa: Reloaded<string> | undefined;
  /** Certificate and key for aggregated servers; undefined: this server shows them none. */
  readonly proxyClient: Reloaded<CertificateAndKey> | undefined;
  /** PEM of the CA bundle that verifies peers; undefined if the option is not set. */
  readonly peerCa: Reloaded<string> | undefined;
  /** Certificates for clients that connect under other names. */
  readonly sni: Reloaded<readonly SniCertificate[]>;
  /** Client certificate and CA for etcd; undefined without TLS options. */
  readonly etcd: Reloaded<EtcdTls> | undefined;
  /** Client certificate and CA for node agents. */
  readonly nodeAgent: Reloaded<DialTls>;
  /** Starts to watch the files; listeners must be added with `onChange` before. */
  watch(): void;
  /** Stops the watch. */
  close(): void;
}

/**
 * Reads the certificates named by the options and creates the missing serving certificate. Errors
 * name the flag.
 */
export async function openCertificates(options: ServerOptions, log: Logger): Promise<Certificates> {
  const { clientCaFile, frontProxy, peerCaFile, store, certificateReloadMs: intervalMs } = options;
  const open = <T>(what: string, read: () => Promise<T>) => Reloaded.open({ what, read, intervalMs, log });
  const etcdTls = etcdTlsReader(store);
  const readProxyClient = proxyClientReader(options);
  const [serving, sni, clientCa, frontProxyCa, etcd, proxyClient, peerCa, nodeAgent] = await Promise.all([
    open('the serving certificate', servingCertificate(options, identifiersOf(options.identifiers))),
    open('a certificate for other names', () => readSniCertificates(options.tlsSniCertKeys)),
    clientCaFile === undefined
      ? undefined
      : open('the client CA', () => readCertificates({ flag: '--client-ca-file', file: clientCaFile })),
    frontProxy &&
      open('the CA of the authenticating proxy', () =>
        readCertificates({ flag: '--requestheader-client-ca-file', file: frontProxy.caFile }),
      ),
    etcdTls && open('what etcd is shown and trusted by', etcdTls),
    readProxyClient && open('the certificate for aggregated servers', readProxyClient),
    peerCaFile === undefined
      ? undefined
      : open('the CA of peers', () => readCertificates({ flag: '--peer-ca-file', file: peerCaFile })),
    open('what node agents are shown and trusted by', nodeAgentTlsReader(options.nodeAgent)),
  ]);
  if (frontProxy?.allowedNames.length === 0) requireSeparate(clientCa?.current, frontProxyCa?.current);
  warnOfUnverified(options.nodeAgent, log);
  const all = [serving, sni, clientCa, frontProxyCa, etcd, proxyClient, peerCa, nodeAgent];
  return {
    serving,
    sni,
    clientCa,
    frontProxyCa,
    proxyClient,
    peerCa,
    etcd,
    nodeAgent,
    watch: () => all.forEach((one) => one?.watch()),
    close: () => all.forEach((one) => one?.close()),
  };
}

/** Throws if users could name anybody in headers, because their CA is also the CA of the proxy. */
function requireSeparate(clientCa = '', frontProxyCa = ''): void {
  const users = new Set(decodePem(clientCa).map(({ der }) => der.toString('base64')));
  if (!decodePem(frontProxyCa).some(({ der }) => users.has(der.toString('base64')))) return;
  throw new Error(
    '--client-ca-file and --requestheader-client-ca-file have a certificate in common: ' +
      'set --requestheader-allowed-names, so that users cannot act as the proxy',
  );
}

/** A certificate and its key, in PEM. */
interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/** Returns the reader of the certificate for aggregated servers; undefined without the option. */
function proxyClientReader({ proxyClient }: ServerOptions): (() => Promise<CertificateAndKey>) | undefined {
  if (!proxyClient) return undefined;
  return async () => {
    const cert = await readCertificates({ flag: '--proxy-client-cert-file', file: proxyClient.certFile });
    const key = await readPrivateKey({ flag: '--proxy-client-key-file', file: proxyClient.keyFile }, cert);
    return { cert, key };
  };
}

/** Returns the reader of the TLS files for etcd; undefined if the options name none. */
function etcdTlsReader(store: StoreOptions): (() => Promise<EtcdTls>) | undefined {
  if (store.kind !== 'etcd') return undefined;
  const { caFile, certFile, keyFile } = store;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new Error('--etcd-certfile and --etcd-keyfile must be given together');
  }
  if (caFile === undefined && certFile === undefined) return undefined;
  return async () => {
    const ca = caFile === undefined ? undefined : await readCertificates({ flag: '--etcd-cafile', file: caFile });
    const own = certFile === undefined || keyFile === undefined ? {} : await readIdentity(certFile, keyFile);
    return { ...(ca === undefined ? {} : { ca: Buffer.from(ca) }), ...own };
  };
}

function agentFlag(name: string): string {
  return `--${nodeAgentFlag(name)}`;
}

/**
 * Returns the reader of the TLS files for node agents. Without a CA bundle node agents are not
 * verified, as in kube-apiserver.
 */
function nodeAgentTlsReader(options: NodeAgentOptions): () => Promise<DialTls> {
  const { certificateAuthorityFile: caFile, clientCertificateFile, clientKeyFile } = options;
  if ((clientCertificateFile === undefined) !== (clientKeyFile === undefined)) {
    throw new Error(`${agentFlag('client-certificate')} and ${agentFlag('client-key')} must be given together`);
  }
  return async () => {
    const ca = caFile && (await readCertificates({ flag: agentFlag('certificate-authority'), file: caFile }));
    const cert =
      clientCertificateFile &&
      (await readCertificates({ flag: agentFlag('client-certificate'), file: clientCertificateFile }));
    const key =
      cert && clientKeyFile && (await readPrivateKey({ flag: agentFlag('client-key'), file: clientKeyFile }, cert));
    return { ...(ca ? { ca } : { insecure: true }), ...(cert && key ? { cert, key } : {}) };
  };
}

function warnOfUnverified({ certificateAuthorityFile, clientCertificateFile }: NodeAgentOptions, log: Logger): void {
  if (clientCertificateFile === undefined || certificateAuthorityFile !== undefined) return;
  log.warn({}, `node agents are not verified: set ${agentFlag('certificate-authority')}`);
}

/** Reads the client certificate and key for etcd. */
async function readIdentity(certFile: string, keyFile: string): Promise<{ cert: Buffer; key: Buffer }> {
  const cert = await readCertificates({ flag: '--etcd-certfile', file: certFile });
  const key = await readPrivateKey({ flag: '--etcd-keyfile', file: keyFile }, cert);
  return { cert: Buffer.from(cert), key: Buffer.from(key) };
}

/** The certificates that a CA bundle trusts as issuers. Parsed once for each change. */
export function rootsOf(bundle: Reloaded<string>): () => readonly X509Certificate[] {
  let parsed: { readonly pem: string; readonly roots: readonly X509Certificate[] } | undefined;
  return () => {
    if (parsed?.pem !== bundle.current) parsed = { pem: bundle.current, roots: trustAnchors(bundle.current) };
    return parsed.roots;
  };
}

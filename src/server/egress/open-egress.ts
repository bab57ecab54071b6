import { createSecureContext } from 'node:tls';
import { readFile } from 'node:fs/promises';
import {
  type EgressName,
  type EgressSelection,
  type EgressTlsFiles,
  type EgressTransport,
  readEgressSelections,
} from './read-egress-selections.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { createEgressMetrics } from '../../outbound/egress/egress-metrics.ts';
import { type EgressProxy, type EgressProxyTls, egressTunnel } from '../../outbound/egress/egress-proxy.ts';
import type { OpenTunnel } from '../../outbound/proxy/send-connect.ts';

/** The connections to other servers, by egress type. */
export interface Egress {
  /** The tunnels; without one, connections are direct. */
  readonly tunnels: Readonly<Partial<Record<EgressName, OpenTunnel>>>;
  /** The egress types in the file; undefined without a file. */
  readonly configured: ReadonlySet<EgressName> | undefined;
}

/**
 * Reads the file of `--egress-selector-config-file` and its certificates. Rejects if one of them is
 * invalid.
 */
export async function openEgress(options: ServerOptions, registry: MetricsRegistry): Promise<Egress> {
  const selections = await readEgressSelections(options);
  const metrics = createEgressMetrics();
  registry.register(...metrics.families);
  const tunnels: Partial<Record<EgressName, OpenTunnel>> = {};
  for (const selection of selections ?? []) {
    const proxy = await proxyOf(selection);
    if (proxy) tunnels[selection.name] = egressTunnel(proxy, metrics);
  }
  return { tunnels, configured: selections && new Set(selections.map(({ name }) => name)) };
}

async function proxyOf(selection: EgressSelection): Promise<EgressProxy | undefined> {
  if (selection.protocol === 'Direct') return undefined;
  try {
    return await openTransport(selection.transport);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const what = `failed to create dialer for egressSelection "${selection.name}"`;
    throw new Error(`failed to setup egress selector: ${what}: ${why}`, { cause });
  }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

async function openTransport(transport: EgressTransport): Promise<EgressProxy> {
  if ('socketPath' in transport) return transport;
  const { protocol, hostname, port } = new URL(transport.url);
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (defaultPorts[protocol] ?? 0) };
  return transport.tls ? { ...place, tls: await readTls(transport.tls) } : place;
}

async function readTls({ caBundle, clientCert, clientKey, serverName }: EgressTlsFiles): Promise<EgressProxyTls> {
  const pair = await readPair(clientCert, clientKey).catch((cause: Error) => {
    throw new Error(`failed to read key pair ${clientCert} & ${clientKey}, got ${cause.message}`, { cause });
  });
  const name = serverName === '' ? {} : { serverName };
  if (caBundle === '') return { ...pair, ...name };
  const ca = await readFile(caBundle, 'utf8').catch((cause: Error) => {
    throw new Error(`failed to read cert file ${caBundle}, got ${cause.message}`, { cause });
  });
  if (!isCertificates(ca)) throw new Error('failed to append CA cert to the cert pool');
  return { ...pair, ...name, ca };
}

async function readPair(certFile: string, keyFile: string): Promise<Pick<EgressProxyTls, 'cert' | 'key'>> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  createSecureContext({ cert, key });
  return { cert, key };
}

function isCertificates(pem: string): boolean {
  try {
    createSecureContext({ ca: pem });
    return pem.includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

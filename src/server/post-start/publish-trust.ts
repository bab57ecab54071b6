import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, sameValue, stringAt } from '../../meta/read-field.ts';
import { decodePem, encodePem } from '../../pki/pem.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import type { FrontProxyOptions } from '../../config/flags/front-proxy-flags.ts';
import type { Reloaded } from '../../listen/reloaded.ts';

/** How servers of aggregated APIs authenticate the clients of this server. */
interface TrustDependencies {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly clientCa: Reloaded<string> | undefined;
  readonly frontProxyCa: Reloaded<string> | undefined;
  readonly frontProxy: FrontProxyOptions | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const configMapName = 'extension-apiserver-authentication';

/** The interval at which the ConfigMap is repaired, and changed CA bundles are published. */
const intervalMs = 60_000;

/**
 * Keeps the ConfigMap `extension-apiserver-authentication` in the system namespace up to date, once
 * the server has started: the client CA, and CA and headers of the authenticating proxy. The values
 * of other servers stay; expired certificates are removed. Nothing is written if both CAs are
 * absent.
 */
export function publishTrust(dependencies: TrustDependencies, started: Promise<void>): void {
  const { clientCa, frontProxyCa, log, signal } = dependencies;
  if (!clientCa && !frontProxyCa) return;
  const publish = async (): Promise<void> => {
    try {
      await ensureTrust(dependencies);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, `${configMapName} could not be written; trying again`);
    }
  };
  const keepPublished = async (): Promise<void> => {
    await started;
    while (!signal.aborted) {
      await publish();
      await pause(intervalMs, signal, { ref: false });
    }
  };
  // The new value is current once all listeners were called.
  for (const bundle of [clientCa, frontProxyCa]) bundle?.onChange(() => setImmediate(() => void publish()));
  // A store that refuses this server is reported elsewhere; nothing is published then.
  keepPublished().catch(() => {});
}

async function ensureTrust(dependencies: TrustDependencies): Promise<void> {
  const { registries, identifiers, signal } = dependencies;
  const configMaps = registries.forResource('', 'configmaps');
  if (!configMaps) return;
  const scope = {
    ...systemScope(identifiers, configMaps, signal),
    namespace: `${identifiers.prefix}system`,
    name: configMapName,
  };
  const trust = trustOf(dependencies);
  const { namespace, name } = scope;
  const created = { metadata: { namespace, name }, data: merged({}, trust) };
  await reconcileObject(configMaps, scope, created, (found) => {
    const data = merged(objectAt(found, 'data'), trust);
    return sameValue(found['data'], data) ? undefined : { ...found, data };
  });
}

/** The values of one server, by key: CA bundles in PEM, and lists. */
interface TrustData {
  readonly bundles: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

function trustOf({ clientCa, frontProxyCa, frontProxy }: TrustDependencies): TrustData {
  const bundles = new Map<string, string>();
  if (clientCa) bundles.set('client-ca-file', clientCa.current);
  if (!frontProxyCa || !frontProxy) return { bundles, lists: new Map() };
  bundles.set('requestheader-client-ca-file', frontProxyCa.current);
  const { headers, allowedNames } = frontProxy;
  const lists = new Map([
    ['requestheader-username-headers', headers.username],
    ['requestheader-group-headers', headers.groups],
    ['requestheader-extra-headers-prefix', headers.extraPrefixes],
    ['requestheader-allowed-names', allowedNames],
    ...(headers.uid.length > 0 ? [['requestheader-uid-headers', headers.uid] as const] : []),
  ]);
  return { bundles, lists };
}

/** The data of the ConfigMap with the values of this server added. */
function merged(data: JsonObject, { bundles, lists }: TrustData): JsonObject {
  const together: JsonObject = { ...data };
  for (const [key, pem] of bundles) together[key] = mergedBundle(stringAt(data, key), pem);
  for (const [key, values] of lists) {
    together[key] = JSON.stringify([...new Set([...textsIn(stringAt(data, key)), ...values])]);
  }
  return together;
}

function mergedBundle(...bundles: readonly string[]): string {
  const certificates = bundles.flatMap(certificatesIn).filter(({ validTo }) => Date.parse(validTo) > Date.now());
  return [...new Set(certificates.map(({ raw }) => encodePem('CERTIFICATE', raw)))].join('');
}

/** The certificates of a text; none if somebody has broken it. */
function certificatesIn(pem: string): X509Certificate[] {
  try {
    const blocks = decodePem(pem).filter(({ label }) => label === 'CERTIFICATE');
    return blocks.map(({ label, der }) => new X509Certificate(encodePem(label, der)));
  } catch {
    return [];
  }
}

/** The texts of a JSON list; none if somebody has broken it. */
function textsIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

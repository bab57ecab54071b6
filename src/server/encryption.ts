import type { Logger } from 'pino';
import type { HealthCheck } from '../api/health/handle-health.ts';
import { contentHash } from '../config/content-hash.ts';
import { type EncryptionConfiguration, encryptionReader } from '../config/encryption-configuration.ts';
import { serverId } from '../config/server-id.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { Reloaded } from '../listen/reloaded.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { encryptedStore, segmentsOf } from '../storage/encryption/encrypted-store.ts';
import { createEncryptionMetrics, type EncryptionMetrics } from '../storage/encryption/encryption-metrics.ts';
import { createKmsMetrics } from '../storage/encryption/kms/kms-metrics.ts';
import { type OpenedEncryption, openEncryption } from '../storage/encryption/open-encryption.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { createReloadMetrics } from './access/reload-metrics.ts';

/** A store with encrypted values. */
export interface ServerEncryption {
  readonly store: ObjectStore;
  /** Wraps another store with the same encryption. */
  readonly wrap: (other: ObjectStore) => ObjectStore;
  /** The health checks of key management plugins. */
  readonly checks: readonly HealthCheck[];
  /** Registers a listener that is called when values may have become readable. */
  readonly onReadable: (listener: () => void) => void;
  close(): void;
}

/** The metrics and the log of an encryption. */
export interface EncryptionDependencies {
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Returns the segment of a key, if keys have another layout than this server's. */
  readonly segmentOf: ((key: string) => string) | undefined;
}

/** After a reload, replaced plugins are closed when this many call timeouts have passed. */
const graceTimes = 2;

/**
 * Encrypts the values of a store as a configuration file says. Rejects if the file is invalid. A
 * plugin that does not answer is not an error: reads and writes fail until it does.
 */
export async function openServerEncryption(
  options: ServerOptions,
  file: string,
  store: ObjectStore,
  { metrics: registry, log, segmentOf = segmentsOf(options.prefix) }: EncryptionDependencies,
): Promise<ServerEncryption> {
  const { encryptionConfigReload, certificateReloadMs } = options;
  const { encryptedPrefix } = identifiersOf(options.identifiers);
  const metrics = createEncryptionMetrics(registry);
  const pluginMetrics = createKmsMetrics(registry, contentHash(serverId()));
  const listeners: (() => void)[] = [];
  const onRecovered = (): void => {
    for (const listener of listeners) listener();
  };
  const open = ({ rules }: EncryptionConfiguration): Promise<OpenedEncryption> =>
    openEncryption(rules, { encryptedPrefix, metrics, pluginMetrics, onRecovered });
  const reloads = encryptionConfigReload ? createReloadMetrics(registry, 'encryption') : undefined;
  const configured = await Reloaded.open({
    what: 'the configuration of encryption',
    read: encryptionReader(file, options),
    intervalMs: encryptionConfigReload ? certificateReloadMs : 0,
    log,
    onReload: (outcome) => reloads?.reloaded(outcome),
  });
  let current = await open(configured.current);
  reloads?.inUse(configured.current.hash);
  configured.onChange(async (changed) => {
    const opened = await open(changed);
    await checked(opened);
    const replaced = current;
    current = opened;
    reloads?.inUse(changed.hash);
    onRecovered();
    setTimeout(() => replaced.close(), graceTimes * replaced.longestCallMs).unref();
  });
  configured.watch();
  const onUnreadable = reporter(metrics, log);
  const wrap = (plain: ObjectStore): ObjectStore =>
    encryptedStore(plain, segmentOf, { transformersOf: (segment) => current.transformersOf(segment), onUnreadable });
  return {
    store: wrap(store),
    wrap,
    checks: pluginChecks(current, () => current, encryptionConfigReload),
    onReadable: (listener) => void listeners.push(listener),
    close() {
      configured.close();
      current.close();
    },
  };
}

/** Checks the plugins of an encryption. If one fails, closes the encryption and rejects. */
async function checked(opened: OpenedEncryption): Promise<void> {
  try {
    for (const plugin of opened.plugins) await plugin.check();
  } catch (error) {
    opened.close();
    throw error;
  }
}

function reporter(metrics: EncryptionMetrics, log: Logger) {
  return (key: string, segment: string, err: Error): void => {
    metrics.unreadable(segment);
    log.error({ err, key }, 'a stored value cannot be decrypted');
  };
}

/**
 * The health checks of plugins, with the names of kube-apiserver: a single one, unless a plugin of
 * version 1 is in use and the configuration is not reloaded.
 */
function pluginChecks(
  first: OpenedEncryption,
  current: () => OpenedEncryption,
  isReloaded: boolean,
): readonly HealthCheck[] {
  const { plugins } = first;
  const all: HealthCheck = {
    name: 'kms-providers',
    async check() {
      for (const plugin of current().plugins) await plugin.check();
    },
  };
  if (isReloaded || (plugins.length > 0 && plugins.every(({ version }) => version === 'v2'))) return [all];
  return plugins.map((plugin, index) => ({ name: `kms-provider-${index}`, check: () => plugin.check() }));
}

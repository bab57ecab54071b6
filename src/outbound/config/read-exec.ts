import { dirname, resolve } from 'node:path';
import { ClientConfigError, type ClusterEntry, type Located } from './client-config.ts';
import { readMaterial, textOf, withoutUndefined } from './config-entry.ts';
import type { ExecSettings } from './connection-settings.ts';
import { execVersion } from './exec-credential.ts';

const interactiveModes = Object.freeze(['Never', 'IfAvailable', 'Always'] as const);

/** Reads the command of a user (spec 5.8). Throws ClientConfigError. */
export async function readExec(
  value: unknown,
  where: string,
  directory: string,
  cluster: Located<ClusterEntry>,
): Promise<ExecSettings> {
  const fields: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const command = textOf(fields['command']);
  if (command === undefined) throw new ClientConfigError(`command must be specified for ${where} to use exec`);
  const apiVersion = textOf(fields['apiVersion']) ?? '';
  const version = execVersion(apiVersion);
  if (!version)
    throw new ClientConfigError(`${where}: exec: apiVersion ${JSON.stringify(apiVersion)} is not supported`);
  return withoutUndefined({
    // A name without a slash is searched in PATH.
    command: command.includes('/') ? resolve(directory, command) : command,
    args: listOf(fields['args']).filter((item) => typeof item === 'string'),
    env: envOf(fields['env'], where),
    apiVersion,
    interactiveMode: modeOf(fields['interactiveMode'], version.version, where),
    installHint: textOf(fields['installHint']),
    cluster: fields['provideClusterInfo'] === true ? await clusterInfo(cluster, version.group.name) : undefined,
  });
}

function modeOf(value: unknown, version: string, where: string): ExecSettings['interactiveMode'] {
  const mode = textOf(value);
  if (mode === undefined && version !== 'v1') return 'IfAvailable';
  const found = interactiveModes.find((each) => each === mode);
  if (found) return found;
  if (mode === undefined) throw new ClientConfigError(`interactiveMode must be specified for ${where} to use exec`);
  throw new ClientConfigError(`${where}: exec: interactiveMode must be Never, IfAvailable or Always, not "${mode}"`);
}

function envOf(value: unknown, where: string): ExecSettings['env'] {
  return listOf(value).map((item) => {
    const { name, value: content = '' }: { name?: unknown; value?: unknown } = Object(item);
    if (textOf(name) === undefined || typeof content !== 'string') {
      throw new ClientConfigError(`env variable name must be specified for ${where} to use exec`);
    }
    return { name: String(name), value: content };
  });
}

/** The part of the input that describes the cluster (spec 2.6). */
async function clusterInfo(
  { entry, file }: Located<ClusterEntry>,
  group: string,
): Promise<Readonly<Record<string, unknown>>> {
  const ca = await readMaterial(entry, 'certificate-authority', dirname(file), 'cluster');
  const extension = listOf(entry.extensions)
    .map((item): { name?: unknown; extension?: unknown } => Object(item))
    .find(({ name }) => name === `${group}/exec`);
  return withoutUndefined({
    server: textOf(entry.server),
    'tls-server-name': textOf(entry['tls-server-name']),
    'insecure-skip-tls-verify': entry['insecure-skip-tls-verify'] === true || undefined,
    'proxy-url': textOf(entry['proxy-url']),
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    config: extension?.extension,
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

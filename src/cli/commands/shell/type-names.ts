import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Client } from '../../../client/client.ts';
import type { ResourceReference } from '../../../client/resource-path.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { pods } from '../../pod-resource.ts';
import type { CliIo } from '../../cli-io.ts';
import type { GlobalOptions } from '../../global-flags.ts';

interface NameScope {
  readonly io: CliIo;
  readonly options: GlobalOptions;
}

/** A user waits: what takes longer is not offered. */
const longestWaitMs = 1500;
/** A user who types completes the same word several times. */
const keptMs = 10_000;
/** More cannot be chosen from. */
const mostNames = 500;

/** The types that can be read, as users write them. */
export function typeNames(scope: NameScope): Promise<string[]> {
  return kept(scope, 'types', async (client, limited) => {
    const { resourcesOf } = await import('../../find-type.ts');
    const resources = await resourcesOf({ client, ...limited });
    const names = resources.map(({ resource, group }) => ({
      resource,
      full: group ? `${resource}.${group}` : resource,
    }));
    const first = new Map(names.toReversed().map(({ resource, full }) => [resource, full]));
    // The same name in another group is only reached by both.
    return [...new Set(names.map(({ resource, full }) => (first.get(resource) === full ? resource : full)))].toSorted();
  });
}

/** Types that every server has, without asking it. */
const usualTypes: ReadonlyMap<string, ResourceReference & { readonly namespaced: boolean }> = new Map(
  [
    { group: '', version: 'v1', resource: 'pods', namespaced: true },
    { group: '', version: 'v1', resource: 'namespaces', namespaced: false },
    { group: '', version: 'v1', resource: 'nodes', namespaced: false },
  ].map((type) => [type.resource, type]),
);

/** The names of the objects of a type, in the namespace of the command. */
export function objectNames(scope: NameScope, type: string): Promise<string[]> {
  return kept(scope, `names ${type}`, async (client, limited) => {
    const resource = usualTypes.get(type) ?? (await typeNamed(type, client, limited));
    const namespace = resource.namespaced ? { namespace: client.settings.namespace } : {};
    const { items } = await client
      .metadata(resource)
      .list({ ...namespace, limit: mostNames, signal: limited.io.signal });
    return items.map(({ metadata }) => metadata.name ?? '').filter(Boolean);
  });
}

async function typeNamed(type: string, client: Client, limited: NameScope) {
  const { findType } = await import('../../find-type.ts');
  return findType({ client, ...limited }, type);
}

/** The names of the containers of a pod. */
export function containerNames(scope: NameScope, pod: string): Promise<string[]> {
  return kept(scope, `containers ${pod}`, async (client, { io }) => {
    const { spec } = await client.resource(pods).get(pod.replace(/^pods?\//, ''), { signal: io.signal });
    return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(({ name }) => name);
  });
}

/** The names of the containers in the pod template of an object. */
export function templateContainers(scope: NameScope, type: string, name: string): Promise<string[]> {
  return kept(scope, `containers ${type}/${name}`, async (client, limited) => {
    const { containersOf } = await import('../../objects/pod-template-of.ts');
    const resource = await typeNamed(type, client, limited);
    const object = await client.resource(resource).get(name, { signal: limited.io.signal });
    // The codec of the client returns JSON values.
    return containersOf(object as JsonObject).map((container) => stringAt(container, 'name'));
  });
}

type Ask = (client: Client, limited: NameScope) => Promise<string[]>;

interface CachedNames {
  readonly atMs: number;
  readonly names: readonly string[];
}

/** Asks the server, or uses a file of seconds ago. Rejects if there is no answer in time. */
async function kept({ io, options }: NameScope, what: string, ask: Ask): Promise<string[]> {
  const { namespace, context, cluster, user, server, clientconfig, kubeconfig, token, as } = options;
  const key = { what, namespace, context, cluster, user, server, clientconfig, kubeconfig, token, as };
  const environment = [io.directory, ...Object.entries(io.env).filter(([name]) => name.endsWith('CONFIG'))];
  const hash = createHash('sha256')
    .update(JSON.stringify([key, environment]))
    .digest('hex');
  const folder = join(options.cacheDir === undefined ? usual(io) : resolve(io.directory, options.cacheDir), 'names');
  const file = join(folder, `${hash.slice(0, 32)}.json`);
  const found = await readNames(file);
  if (found && Date.now() - found.atMs < keptMs && found.atMs <= Date.now()) return [...found.names];
  const { stdout, stderr } = io;
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(longestWaitMs)]);
  // Standard input stays closed: it is the shell's.
  const quiet: CliIo = { stdin: Readable.from([]), stdout, stderr, env: io.env, directory: io.directory, signal };
  // Names that are kept need no connection, whose modules take longer to load than the rest.
  const { withClient } = await import('../../connect.ts');
  const names = await withClient({ options, io: quiet }, (client) => ask(client, { options, io: quiet }));
  await writeNames(folder, file, { atMs: Date.now(), names }).catch(() => undefined);
  return names;
}

function usual({ env }: CliIo): string {
  return join(env['HOME'] ?? homedir(), '.cl', 'cache');
}

async function readNames(file: string): Promise<CachedNames | undefined> {
  try {
    // This program wrote it.
    return JSON.parse(await readFile(file, 'utf8')) as CachedNames;
  } catch {
    return undefined;
  }
}

async function writeNames(folder: string, file: string, names: CachedNames): Promise<void> {
  // Loaded only here: completion is to be quick.
  const { makeDirectory } = await import('../../../files/make-directory.ts');
  await makeDirectory(folder);
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, JSON.stringify(names), { mode: 0o600 });
  await rename(partial, file);
}

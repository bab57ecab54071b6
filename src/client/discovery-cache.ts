import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';
import type { Client } from './client.ts';
import { type Discovery, discoverBelow, discoveryPaths, joinDiscoveries, type TaggedDiscovery } from './discovery.ts';

/** Options of the files that keep the resources of servers between runs of a program. */
export interface DiscoveryCacheOptions {
  /** The folder, which is made if it does not exist; only its owner can read what is made. */
  readonly directory: string;
  readonly signal?: AbortSignal;
}

/** Raised when the form of the files changes. */
const formVersion = 1;

interface CachedDiscovery {
  readonly form: number;
  readonly server: string;
  /** In the order of the paths. */
  readonly parts: readonly TaggedDiscovery[];
}

/**
 * Returns all resources like `discoverAll`. If the server has aggregated discovery and a file has
 * its resources, only a change is checked for. A file that cannot be read or written is no error.
 */
export async function discoverCached(client: Client, { directory, signal }: DiscoveryCacheOptions): Promise<Discovery> {
  const { server } = client.settings;
  const file = join(directory, `${createHash('sha256').update(server).digest('hex').slice(0, 32)}.json`);
  const kept = await readCached(file, server);
  const parts: TaggedDiscovery[] = [];
  // One after the other, over one connection: a second would cost more than the wait.
  for (const [at, path] of discoveryPaths.entries()) parts.push(await discoverBelow(client, path, signal, kept[at]));
  const discovery = joinDiscoveries(parts.map((part) => part.discovery));
  const isKept = parts.every((part, at) => part === kept[at]);
  // Resources of a server that is away are asked for again, and so are those without a tag.
  const canBeKept = discovery.failed.length === 0 && parts.every(({ etag }) => etag !== undefined);
  if (canBeKept && !isKept) await keep(file, { form: formVersion, server, parts }).catch(() => undefined);
  return discovery;
}

async function readCached(file: string, server: string): Promise<readonly TaggedDiscovery[]> {
  try {
    // This program wrote it, in this form.
    const kept = JSON.parse(await readFile(file, 'utf8')) as CachedDiscovery;
    const isUsable = kept.form === formVersion && kept.server === server && kept.parts.every(isWhole);
    return isUsable ? kept.parts : [];
  } catch {
    return [];
  }
}

/** A file that was changed by hand is as good as none. */
function isWhole({ discovery }: TaggedDiscovery): boolean {
  return Array.isArray(discovery.resources) && Array.isArray(discovery.failed);
}

/** Replaces the file as a whole, since another run may read it. */
async function keep(file: string, kept: CachedDiscovery): Promise<void> {
  await replaceFile(file, JSON.stringify(kept), 0o600);
}

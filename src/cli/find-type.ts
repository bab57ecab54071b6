import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from '../client/client.ts';
import type { DiscoveredResource } from '../client/discovery.ts';
import { discoverCached } from '../client/discovery-cache.ts';
import { findResource, suggestResources } from '../client/find-resource.ts';
import { CliError } from './cli-error.ts';
import type { Invocation } from './command.ts';

/** A running command and its connection. */
export interface Session extends Pick<Invocation, 'options' | 'io'> {
  readonly client: Client;
}

/** The resources that clients of running commands have asked for. */
const known = new WeakMap<Client, Promise<readonly DiscoveredResource[]>>();

/**
 * The resources of the server, which are kept in a folder and asked for again when they change. A
 * command asks once.
 */
export async function resourcesOf(session: Session): Promise<DiscoveredResource[]> {
  const { client } = session;
  const found = known.get(client) ?? discover(session);
  known.set(client, found);
  return [...(await found)];
}

async function discover({ client, options, io }: Session): Promise<readonly DiscoveredResource[]> {
  const home = io.env.HOME ?? homedir();
  const { cacheDir } = options;
  const directory = cacheDir === undefined ? join(home, '.cl', 'cache') : resolve(io.directory, cacheDir);
  const { resources } = await discoverCached(client, { directory: join(directory, 'discovery'), signal: io.signal });
  return resources;
}

/**
 * The resource of a type as a user names it: `pods`, `po`, `Pod`, `deployments.v1.apps`. Throws
 * CliError with the nearest.
 */
export async function findType(session: Session, type: string): Promise<DiscoveredResource> {
  const resources = await resourcesOf(session);
  const found = findResource(resources, type);
  if (found) return found;
  const [suggestion] = suggestResources(resources, type);
  throw new CliError(`the server doesn't have a resource type "${type}"`, {
    hint: suggestion ? `did you mean "${suggestion}"?` : 'cl api-resources lists all types',
  });
}

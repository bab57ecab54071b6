import type { ApiObject } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import { type DiscoveredResource, discoverVersion } from '../../client/discovery.ts';
import { CliError } from '../cli-error.ts';
import type { Manifest } from './read-manifests.ts';

/** Finds the resource of a manifest's kind; each version is discovered once. */
type ResourceFinder = (manifest: Pick<Manifest, 'object' | 'where'>) => Promise<DiscoveredResource>;

/** Creates a finder for one run of a command. */
export function createResourceFinder(client: Client, signal: AbortSignal): ResourceFinder {
  const asked = new Map<string, Promise<DiscoveredResource[] | undefined>>();
  return async ({ object: { apiVersion, kind }, where }) => {
    const slash = apiVersion.indexOf('/');
    const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
    const answer = asked.get(apiVersion) ?? discoverVersion(client, group, version, signal);
    asked.set(apiVersion, answer);
    const found = (await answer)?.find((resource) => resource.kind === kind);
    if (found) return found;
    // It may be defined by an object that is written before it is asked for again.
    asked.delete(apiVersion);
    throw new CliError(`${where}: the server has no kind "${kind}" in version "${apiVersion}"`, {
      hint: 'check apiVersion and kind; the versions are listed at /apis of the server',
    });
  };
}

/** The namespace of a manifest: its own, which `-n` must not contradict, or the value of `-n`. */
export function manifestNamespace(manifest: Manifest, namespaceOption: string | undefined): string | undefined {
  // Malformed metadata is refused by the server.
  const own = (manifest.object as ApiObject).metadata?.namespace;
  if (own && namespaceOption && own !== namespaceOption) {
    throw new CliError(`${manifest.where}: namespace "${own}" is not the "${namespaceOption}" of --namespace`, {
      hint: 'leave out one of them',
    });
  }
  return own || namespaceOption;
}

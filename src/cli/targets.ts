import type { Client } from '../client/client.ts';
import { type DiscoveredResource, discover } from '../client/discovery.ts';
import { findResource, suggestResources } from '../client/find-resource.ts';
import { CliError } from './cli-error.ts';

/** A resource and the requested names; without names the whole collection. */
export interface Target {
  readonly resource: DiscoveredResource;
  readonly names: readonly string[];
}

/**
 * Parses the targets of a command: `pods`, `pods a b`, `pods,services`, or `pod/a service/b`.
 * Runs discovery once.
 */
export async function readTargets(client: Client, words: readonly string[], signal: AbortSignal): Promise<Target[]> {
  const pairs = words.some((word) => word.includes('/')) ? readPairs(words) : readTypes(words);
  const resources = await discover(client, signal);
  return pairs.map(({ type, names }) => {
    const resource = findResource(resources, type);
    if (resource) return { resource, names };
    const [suggestion] = suggestResources(resources, type);
    throw new CliError(`the server doesn't have a resource type "${type}"`, {
      hint: suggestion ? `did you mean "${suggestion}"?` : 'the types are listed at /apis and /api/v1 of the server',
    });
  });
}

interface Pair {
  readonly type: string;
  readonly names: readonly string[];
}

function readPairs(words: readonly string[]): Pair[] {
  return words.map((word) => {
    const [type = '', name = '', ...rest] = word.split('/');
    if (!type || !name || rest.length > 0) {
      throw new CliError(`"${word}" is not of the form type/name`, {
        hint: 'write all arguments as type/name, or none',
        usage: true,
      });
    }
    return { type, names: [name] };
  });
}

function readTypes([first = '', ...names]: readonly string[]): Pair[] {
  const types = first.split(',').filter(Boolean);
  if (types.length === 0) {
    throw new CliError('a resource type is missing', { hint: 'for example: cl get namespaces', usage: true });
  }
  if (types.length > 1 && names.length > 0) {
    throw new CliError('names need one resource type', { hint: 'write type/name for each', usage: true });
  }
  return types.map((type) => ({ type, names }));
}

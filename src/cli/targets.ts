import type { DiscoveredResource } from '../client/discovery.ts';
import { findResource } from '../client/find-resource.ts';
import { CliError } from './cli-error.ts';
import { findType, resourcesOf, type Session } from './find-type.ts';
import { preferredResources } from './preferred-resources.ts';

/** A resource and the requested names; without names the whole collection. */
export interface Target {
  readonly resource: DiscoveredResource;
  readonly names: readonly string[];
  /** The namespace of an object from a file; absent: the namespace of the command. */
  readonly namespace?: string;
}

/**
 * Parses the targets of a command: `pods`, `pods a b`, `pods,services`, `all`, or
 * `pod/a service/b`. Of a category, `verb` selects the resources.
 */
export async function readTargets(session: Session, words: readonly string[], verb = 'list'): Promise<Target[]> {
  const pairs = words.some((word) => word.includes('/')) ? readPairs(words) : readTypes(words);
  const found = await Promise.all(
    pairs.map(async ({ type, names }) => {
      const resources = await findTypes(session, type, verb);
      return resources.map((resource) => ({ resource, names }));
    }),
  );
  return found.flat();
}

/** The resource of a type, or the resources of a category. */
async function findTypes(session: Session, type: string, verb: string): Promise<readonly DiscoveredResource[]> {
  const resources = await resourcesOf(session);
  const members = findResource(resources, type)
    ? []
    : resources.filter(({ categories, verbs }) => categories.includes(type) && verbs.includes(verb));
  if (members.length === 0) return [await findType(session, type)];
  return preferredResources(members);
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
      });
    }
    return { type, names: [name] };
  });
}

function readTypes([first = '', ...names]: readonly string[]): Pair[] {
  const types = first.split(',').filter(Boolean);
  if (types.length === 0) {
    throw new CliError('you must specify the type of resource', {
      hint: 'for example: namespaces; cl api-resources lists all types',
    });
  }
  return types.map((type) => ({ type, names }));
}

import type { DiscoveredResource } from '../client/discovery.ts';
import { CliError } from './cli-error.ts';
import { findType, type Session } from './find-type.ts';

/** A resource and the requested names; without names the whole collection. */
export interface Target {
  readonly resource: DiscoveredResource;
  readonly names: readonly string[];
}

/** Parses the targets of a command: `pods`, `pods a b`, `pods,services`, or `pod/a service/b`. */
export async function readTargets(session: Session, words: readonly string[]): Promise<Target[]> {
  const pairs = words.some((word) => word.includes('/')) ? readPairs(words) : readTypes(words);
  return Promise.all(pairs.map(async ({ type, names }) => ({ resource: await findType(session, type), names })));
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
    throw new CliError('a resource type is missing', { hint: 'for example: cl get namespaces' });
  }
  if (types.length > 1 && names.length > 0) {
    throw new CliError('names need one resource type', { hint: 'write type/name for each' });
  }
  return types.map((type) => ({ type, names }));
}

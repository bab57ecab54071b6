import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { type NodeGroup, readNodeGroups } from '../../nodes/agent/node-groups.ts';
import { CliError } from '../cli-error.ts';

/** The flags of `cl up` about stand-in nodes. */
interface NodeFlags {
  readonly nodes: number;
  readonly nodeCapacity: readonly string[];
  readonly nodeLabels: readonly string[];
  readonly nodeTaints: readonly string[];
  readonly nodesFile: string | undefined;
}

/** The groups of stand-in nodes of the flags and of the file. Throws CliError for a wrong value. */
export async function nodeGroupsOf(flags: NodeFlags, directory: string): Promise<readonly NodeGroup[]> {
  const { nodes: count, nodeCapacity, nodeLabels, nodeTaints, nodesFile } = flags;
  if (count === 0 && nodeCapacity.length + nodeLabels.length + nodeTaints.length > 0) {
    throw new CliError('--node-capacity, --node-labels and --node-taints need --nodes', { hint: 'add --nodes=1' });
  }
  const group = {
    count,
    capacity: entriesOf('--node-capacity', nodeCapacity),
    labels: entriesOf('--node-labels', nodeLabels),
    taints: nodeTaints.map(taintOf),
  };
  const own = checked('--nodes', count === 0 ? [] : [group]);
  if (nodesFile === undefined) return own;
  const more = await readGroups(resolve(directory, nodesFile), nodesFile);
  return checked(nodesFile, [...own, ...more]);
}

async function readGroups(path: string, shown: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new CliError(`${shown} cannot be read: ${cause.message}`, { cause });
  });
  const value: unknown = parsed(text, shown);
  // Checked alone first, so that the paths are those of the file.
  return checked(shown, value);
}

function parsed(text: string, shown: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw new CliError(`${shown} is not valid YAML: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function checked(source: string, groups: unknown): readonly NodeGroup[] {
  try {
    return readNodeGroups(groups);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CliError(`${source}: ${cause.message}`, { cause });
  }
}

function entriesOf(flag: string, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
      if (name === undefined || value === undefined) {
        throw new CliError(`${flag}: ${JSON.stringify(pair)} is not NAME=VALUE`);
      }
      return [name, value];
    }),
  );
}

function taintOf(text: string) {
  const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:([A-Za-z]+)$/.exec(text) ?? [];
  if (key === undefined || effect === undefined) {
    throw new CliError(`--node-taints: ${JSON.stringify(text)} is not KEY=VALUE:EFFECT or KEY:EFFECT`);
  }
  return { key, ...(value ? { value } : {}), effect };
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { knownOutcomes, type NodeGroup, readNodeGroups } from '../../nodes/agent/node-groups.ts';
import { compileStage } from '../../nodes/stages/compile-stage.ts';
import { CliError } from '../cli-error.ts';

/** The flags of `cl up` about stand-in nodes. */
interface NodeFlags {
  readonly nodes: number;
  readonly nodeCapacity: readonly string[];
  readonly nodeLabels: readonly string[];
  readonly nodeTaints: readonly string[];
  readonly nodeStages: readonly string[];
  readonly nodesFile: string | undefined;
}

/** The groups of stand-in nodes of the flags and of the file. Throws CliError for a wrong value. */
export async function nodeGroupsOf(flags: NodeFlags, directory: string): Promise<readonly NodeGroup[]> {
  const { nodes: count, nodeCapacity, nodeLabels, nodeTaints, nodeStages, nodesFile } = flags;
  if (count === 0 && nodeCapacity.length + nodeLabels.length + nodeTaints.length + nodeStages.length > 0) {
    const alone = '--node-capacity, --node-labels, --node-taints and --node-stages';
    throw new CliError(`${alone} need --nodes`, { hint: 'add --nodes=1' });
  }
  const group = {
    count,
    capacity: entriesOf('--node-capacity', nodeCapacity),
    labels: entriesOf('--node-labels', nodeLabels),
    taints: nodeTaints.map(taintOf),
    ...(nodeStages.length > 0 ? { stages: await readStages(nodeStages, directory) } : {}),
  };
  const own = checked('--nodes', count === 0 ? [] : [group]);
  if (nodesFile === undefined) return own;
  const more = await readGroups(resolve(directory, nodesFile), nodesFile);
  return checked(nodesFile, [...own, ...more]);
}

async function readGroups(path: string, shown: string): Promise<readonly unknown[]> {
  const [value, second] = await readDocuments(path, shown);
  if (second !== undefined) throw new CliError(`${shown}: use one document with a list of groups`);
  // Checked alone first, so that paths in errors are paths in the file.
  return checked(shown, value);
}

/** The stages of files, each of which may have several documents. */
async function readStages(files: readonly string[], directory: string): Promise<readonly unknown[]> {
  const read = files.map(async (file) => {
    const stages = await readDocuments(resolve(directory, file), file);
    const problems = stages.flatMap((stage, index) => {
      const reading = compileStage(stage, knownOutcomes, `[${index}]`);
      return 'problems' in reading ? reading.problems : [];
    });
    if (problems.length > 0) throw new CliError(`${file}: ${problems.join('; ')}`);
    return stages;
  });
  return (await Promise.all(read)).flat();
}

async function readDocuments(path: string, shown: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new CliError(`${shown} cannot be read: ${cause.message}`, { cause });
  });
  return parsed(text, shown);
}

/** The documents of a text of YAML; empty ones are left out. */
function parsed(text: string, shown: string): readonly unknown[] {
  try {
    const documents = [...parseAllDocuments(text)];
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error) throw error;
    const values: unknown[] = documents.map((document) => document.toJS({ maxAliasCount: 0 }));
    return values.filter((value) => value !== null && value !== undefined);
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

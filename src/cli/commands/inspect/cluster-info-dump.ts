import { readObject } from '../../../client/read-object.ts';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Invocation } from '../../command.ts';
import type { clusterInfoDumpFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import { resourcePath } from '../../../client/resource-path.ts';
import { readLogs } from '../../../client/streams/read-logs.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { makeDirectory } from '../../../files/make-directory.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import { builtIn, openSource, type Source } from './describe/parts/related.ts';
import { itemsAt, textAt } from './describe/parts/values.ts';

/** The lists of a namespace: their types, and the names of their files. */
const lists = [
  ['', 'events', 'events'],
  ['', 'replicationcontrollers', 'replication-controllers'],
  ['', 'services', 'services'],
  ['apps', 'daemonsets', 'daemonsets'],
  ['apps', 'deployments', 'deployments'],
  ['apps', 'replicasets', 'replicasets'],
  ['', 'pods', 'pods'],
] as const;

type DumpInvocation = Invocation<typeof clusterInfoDumpFlags>;

/** Writes a part of the dump, by the path of its file. */
type PartWriter = (path: string, text: string) => Promise<void>;

/** `cl cluster-info dump`: writes nodes, and of namespaces the workloads, Events and logs. */
export async function clusterInfoDump({ options, io }: DumpInvocation): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const source = await openSource({ client, options, io });
    const write = partWriter(options, io);
    const extension = options.output;
    const print = await objectPrinter(options, io);
    const nodes = await readList(source, '', 'nodes');
    if (nodes) await write(`nodes.${extension}`, print(nodes));
    for (const namespace of await namespacesOf(source, options)) {
      for (const [group, plural, file] of lists) {
        const list = await readList(source, group, plural, namespace);
        if (!list) continue;
        await write(join(folderName(namespace), `${file}.${extension}`), print(list));
        if (plural === 'pods') await writeLogs(client, list, { namespace, write, io });
      }
    }
    const { outputDirectory: folder } = options;
    if (folder && folder !== '-') io.stdout.write(`Cluster info dumped to ${folder}\n`);
  });
}

async function namespacesOf(source: Source, options: DumpInvocation['options']): Promise<readonly string[]> {
  if (options.allNamespaces) {
    const all = await readList(source, '', 'namespaces');
    return itemsAt(all ?? {}, 'items').map((each) => textAt(each, 'metadata.name'));
  }
  if (options.namespaces.length > 0) return options.namespaces;
  return [...new Set([`${source.prefix}system`, source.client.settings.namespace])];
}

async function readList(
  { client, resources, signal }: Source,
  group: string,
  plural: string,
  namespace = '',
): Promise<JsonObject | undefined> {
  const resource = builtIn(resources, group, plural);
  if (!resource) return undefined;
  const request = { method: 'GET', path: resourcePath(resource, namespace ? { namespace } : {}), signal };
  return readObject(client.codec, await client.transport.request(request), request) as JsonObject;
}

interface LogRun {
  readonly namespace: string;
  readonly write: PartWriter;
  readonly io: CliIo;
}

async function writeLogs(client: Client, pods: JsonObject, { namespace, write, io }: LogRun): Promise<void> {
  for (const pod of itemsAt(pods, 'items')) {
    const name = textAt(pod, 'metadata.name');
    const containers = ['spec.initContainers', 'spec.containers'].flatMap((path) => itemsAt(pod, path));
    let text = '';
    for (const container of containers.map((each) => textAt(each, 'name'))) {
      const place = `container ${container} of pod ${namespace}/${name}`;
      const log = await readLog(client, name, { namespace, container, signal: io.signal });
      text += `==== START logs for ${place} ====\n${log}==== END logs for ${place} ====\n`;
    }
    await write(join(folderName(namespace), folderName(name), 'logs.txt'), text);
  }
}

/** A server's name as the name of a sub-folder; it cannot lead anywhere else. */
function folderName(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}]/gu, '_').replace(/^\.*$/, '_');
}

async function readLog(client: Client, pod: string, options: Parameters<typeof readLogs>[2] = {}): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await readLogs(client, pod, options)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    options.signal?.throwIfAborted();
    return `Request log error: ${error instanceof Error ? error.message : String(error)}\n`;
  }
}

function partWriter({ outputDirectory }: DumpInvocation['options'], io: CliIo): PartWriter {
  if (!outputDirectory || outputDirectory === '-') return async (_, text) => void io.stdout.write(text);
  return async (path, text) => {
    const file = resolve(io.directory, outputDirectory, path);
    // As other programs make folders: the umask takes its part.
    await makeDirectory(dirname(file), 0o777);
    await writeFile(file, text);
  };
}

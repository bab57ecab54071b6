import type { Invocation } from '../../command.ts';
import type { deleteFlags } from './flags.ts';
import type { ApiObject, Status } from '../../../client/api-object.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifest-resource.ts';
import { objectName } from '../../printers/json.ts';
import { readManifests } from '../../read-manifests.ts';
import { readTargets } from '../../targets.ts';

interface Doomed {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** `cl delete`: deletes objects by name, by label, or from files; continues after a refused one. */
export async function deleteObjects({ words, options, io }: Invocation<typeof deleteFlags>): Promise<void> {
  const ways = [words.length > 0, Boolean(options.filename?.length)].filter(Boolean).length;
  if (ways !== 1 || (options.filename?.length && options.selector)) {
    throw new CliError('nothing to delete was given', {
      hint: 'cl delete TYPE NAME..., cl delete TYPE -l SELECTOR, or cl delete -f FILE',
    });
  }
  await withClient({ options, io }, async (client) => {
    const doomed = options.filename?.length
      ? await fromFiles(client, options, io)
      : await fromWords(client, words, options, io);
    if (doomed.length === 0) io.stderr.write('No resources found.\n');
    await deleteAll(client, doomed, io);
  });
}

async function fromFiles(
  client: Client,
  options: Invocation<typeof deleteFlags>['options'],
  io: CliIo,
): Promise<Doomed[]> {
  const find = createResourceFinder(client, io.signal);
  const manifests = await readManifests(options.filename ?? [], io);
  return Promise.all(
    manifests.map(async (manifest) => {
      const { metadata }: ApiObject = manifest.object as ApiObject;
      if (!metadata?.name) throw new CliError(`${manifest.where}: metadata.name must be set`);
      return {
        resource: await find(manifest),
        name: metadata.name,
        namespace: manifestNamespace(manifest, options.namespace),
      };
    }),
  );
}

async function fromWords(
  client: Client,
  words: readonly string[],
  options: Invocation<typeof deleteFlags>['options'],
  io: CliIo,
): Promise<Doomed[]> {
  const doomed: Doomed[] = [];
  const { namespace } = client.settings;
  for (const { resource, names } of await readTargets({ client, options, io }, words)) {
    if (names.length > 0 === Boolean(options.selector)) {
      throw new CliError('either names or a selector must be given, not both', {
        hint: `cl delete ${resource.resource} NAME, or -l SELECTOR`,
      });
    }
    doomed.push(...names.map((name) => ({ resource, name, namespace })));
    if (!options.selector) continue;
    const pages = client.resource(resource).pages({ namespace, labelSelector: options.selector, signal: io.signal });
    for await (const { items } of pages) {
      doomed.push(...items.map(({ metadata }) => ({ resource, name: metadata?.name ?? '', namespace })));
    }
  }
  return doomed;
}

function deleteAll(client: Client, doomed: readonly Doomed[], io: CliIo): Promise<void> {
  const deleteOne = async ({ resource, name, namespace }: Doomed): Promise<string> => {
    const answer = await client.resource(resource).delete(name, { namespace, signal: io.signal });
    return `${objectName(resource, name)} ${outcome(answer)}\n`;
  };
  return forEachObject(doomed, deleteOne, { io, done: 'deleted' });
}

function outcome(answer: ApiObject | Status): string {
  const finalizers = answer.metadata && 'finalizers' in answer.metadata ? (answer.metadata.finalizers ?? []) : [];
  return finalizers.length > 0 ? `marked for deletion (waits for ${finalizers.join(', ')})` : 'deleted';
}

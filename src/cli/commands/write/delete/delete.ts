import type { Invocation } from '../../../command.ts';
import { hasReason } from '../../../../client/error-of-response.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { namingFile } from '../../../manifests/naming-file.ts';
import { type DeletedObject, deleteSelected, gracePeriodOf, waitUntilGone } from '../../../objects/delete-selected.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { sendRaw } from '../../../objects/send-raw.ts';
import type { deleteFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';
import { createInterface } from 'node:readline/promises';

type DeleteOptions = Invocation<typeof deleteFlags>['options'];

/**
 * `cl delete`: deletes objects by name, by selector or from files, and waits until they are gone;
 * continues after a refused one.
 */
export async function deleteObjects({ words, options, io }: Invocation<typeof deleteFlags>): Promise<void> {
  gracePeriodOf(options);
  warn(options, io);
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    if (options.raw !== undefined) {
      await sendRaw(session, 'DELETE', options.raw, options);
      return;
    }
    const selected = await selectObjects(session, { words, ...options });
    if (selected.length === 0) {
      io.stdout.write('No resources found\n');
      return;
    }
    if (options.interactive && !(await isConfirmed(selected, io))) {
      io.stdout.write('deletion is cancelled\n');
      return;
    }
    await deleteAll(session, selected, options);
  });
}

function warn({ force, allNamespaces, gracePeriod, selector, all, filename }: DeleteOptions, io: CliIo): void {
  if (force && gracePeriod <= 0) {
    io.stderr.write('Warning: forced deletion does not wait until what the object describes has ended\n');
  }
  if (allNamespaces && !(selector || all || filename.length > 0)) {
    throw new CliError('--all-namespaces needs -l, --field-selector or --all');
  }
}

async function isConfirmed(selected: readonly SelectedObject[], io: CliIo): Promise<boolean> {
  io.stdout.write('You are about to delete the following objects:\n');
  for (const each of selected) io.stdout.write(`${nameOf(each)}\n`);
  return (await askOnTerminal('Do you want to continue? (y/N) ', io)).trim().toLowerCase() === 'y';
}

async function deleteAll(session: Session, selected: readonly SelectedObject[], options: DeleteOptions): Promise<void> {
  const { io } = session;
  const gone: DeletedObject[] = [];
  const deleteOne = async (object: SelectedObject): Promise<string> => {
    try {
      if (options.dryRun === 'client') await namingFile(object.manifest, 'deleting', object.load());
      else gone.push(await namingFile(object.manifest, 'deleting', deleteSelected(session, object, options)));
      return lineOf(object, options);
    } catch (error) {
      const isIgnored = options.ignoreNotFound || (object.manifest === undefined && options.all);
      if (isIgnored && hasReason(error, 'NotFound')) return '';
      throw error;
    }
  };
  let failure: unknown;
  await forEachObject(selected, deleteOne, { io, done: 'deleted' }).catch((error: unknown) => {
    failure = error;
  });
  if (options.wait && options.dryRun === 'none' && !io.signal.aborted)
    await waitUntilGone(session, gone, options.timeout);
  if (failure !== undefined) throw failure;
}

const suffixes = { none: '', client: ' (dry run)', server: ' (server dry run)' } as const;

/** `configmap "a" deleted from default namespace`. */
function lineOf(object: SelectedObject, { output, force, gracePeriod, dryRun }: DeleteOptions): string {
  if (output === 'name') return `${nameOf(object)}\n`;
  const from = object.namespace === undefined ? '' : ` from ${object.namespace} namespace`;
  const done = force && gracePeriod <= 0 ? 'force deleted' : 'deleted';
  return `${typeOf(object)} "${visibleText(object.name)}" ${done}${from}${suffixes[dryRun]}\n`;
}

function typeOf({ resource }: SelectedObject): string {
  const word = resource.kind.toLowerCase();
  return resource.group ? `${word}.${resource.group}` : word;
}

function nameOf(object: SelectedObject): string {
  return `${typeOf(object)}/${visibleText(object.name)}`;
}

/**
 * Asks a question on stdout and returns the line typed by the user; empty at the end of the input.
 */
async function askOnTerminal(question: string, { stdin, stdout, signal }: CliIo): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout });
  const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}

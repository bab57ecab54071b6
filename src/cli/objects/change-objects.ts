import { hasReason } from '../../client/error-of-response.ts';
import type { GenericObject } from '../../client/api-object.ts';
import { copyJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { resourceVersionOf } from '../../meta/object-meta.ts';
import { CliError } from '../cli-error.ts';
import type { Invocation } from '../command.ts';
import { withClient } from '../connect.ts';
import type { Session } from '../find-type.ts';
import { forEachObject } from '../for-each-object.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import type { DryRun } from '../write-flags.ts';
import { mergePatchBetween, replacesList } from './merge-patch-between.ts';
import { hasFiles, type SelectedObject, type Selection, selectObjects } from './select-objects.ts';
import { createWrittenObjects, type WrittenObjects, type WrittenOutputOptions } from './written-objects.ts';

/** The values of the flags of commands that change objects. */
interface ChangeOptions extends WrittenOutputOptions {
  readonly fieldManager?: string;
  readonly local?: boolean;
}

/** A command that computes a change of each selected object. */
interface ChangeCommand {
  readonly selection: Selection;
  readonly options: ChangeOptions;
  /** Changes the copy of an object; throws `CliError` to refuse it. */
  readonly change: (object: JsonObject) => void | Promise<void>;
  /** The word for the change, as in `labeled`. */
  readonly done: string | ((before: JsonObject, after: JsonObject) => string);
  /** The word for an object that stays the same; undefined prints nothing. */
  readonly unchanged?: string | undefined;
}

/** How often a change is computed again because another client changed the object meanwhile. */
const attempts = 5;

/**
 * Changes the selected objects with merge patches; continues after a refused one. With `local` the
 * objects of files are changed and printed without a server.
 */
export async function changeObjects(
  { options, io }: Pick<Invocation, 'options' | 'io'>,
  command: ChangeCommand,
): Promise<void> {
  const printer = await createWrittenObjects(command.options, io);
  if (command.options.local) {
    await changeFiles(io, command, printer);
    return;
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const objects = await selectObjects(session, command.selection);
    await forEachObject(objects, (object) => changeOne(session, command, object, printer), { io, done: 'changed' });
  });
}

async function changeFiles(io: Invocation['io'], command: ChangeCommand, printer: WrittenObjects): Promise<void> {
  if (!hasFiles(command.selection)) throw new CliError('--local needs objects from -f', { hint: 'leave out --local' });
  for (const { object } of await readManifests(command.selection, io)) {
    const changed = copyJsonObject(object);
    await command.change(changed);
    printer.print(changed, doneOf(command, object, changed));
  }
}

async function changeOne(
  session: Session,
  command: ChangeCommand,
  selected: SelectedObject,
  printer: WrittenObjects,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await selected.load();
    const changed = copyJsonObject(before);
    await command.change(changed);
    const patch = mergePatchBetween(before, changed);
    if (!patch) {
      if (command.unchanged !== undefined || command.options.output) printer.print(before, command.unchanged ?? '');
      return;
    }
    if (command.options.dryRun === 'client') {
      printer.print(changed, doneOf(command, before, changed));
      return;
    }
    if (replacesList(patch))
      patch.metadata = { ...(patch.metadata as JsonObject), resourceVersion: resourceVersionOf(before) };
    const written = await patchObject(session, selected, patch, command.options).catch((error: unknown) => {
      if (attempt === attempts || !hasReason(error, 'Conflict')) throw error;
      return undefined;
    });
    if (!written) continue;
    printer.print(written, doneOf(command, before, written));
    return;
  }
}

function doneOf({ done }: ChangeCommand, before: JsonObject, after: JsonObject): string {
  return typeof done === 'string' ? done : done(before, after);
}

/** Options of a request that writes, from the flags. */
interface PatchRequest {
  readonly dryRun: DryRun;
  readonly fieldManager?: string;
  readonly type?: 'json' | 'merge' | 'strategic';
  readonly subresource?: string | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

/** Sends a patch of an object, and returns the object as it is then. */
export async function patchObject(
  { client, io }: Session,
  { resource, name, namespace }: Omit<SelectedObject, 'load'>,
  patch: unknown,
  { dryRun, fieldManager, type = 'merge', subresource, fieldValidation }: PatchRequest,
): Promise<JsonObject> {
  const patched: GenericObject = await client.resource(resource).patch(name, patch, {
    type,
    dryRun: dryRun === 'server',
    signal: io.signal,
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
  });
  // The codec of the client returns JSON values.
  return patched as JsonObject;
}

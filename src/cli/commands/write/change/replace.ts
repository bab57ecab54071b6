import type { Invocation } from '../../../command.ts';
import { hasReason, StatusError } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { namingFile } from '../../../manifests/naming-file.ts';
import { deleteSelected, waitUntilGone } from '../../../objects/delete-selected.ts';
import { newObject } from '../../../objects/new-object.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { sendRaw } from '../../../objects/send-raw.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import { fieldValidationOf } from '../../../write-flags.ts';
import type { replaceFlags } from './flags.ts';

type ReplaceOptions = Invocation<typeof replaceFlags>['options'];

/** `cl replace -f`: replaces objects as a whole; with `--force` deletes and creates them. */
export async function replace({ options, io }: Invocation<typeof replaceFlags>): Promise<void> {
  if (options.filename.length === 0 && !options.kustomize) throw new CliError('must specify one of -f and -k');
  if (options.force && options.dryRun !== 'none') throw new CliError('--dry-run can not be used when --force is set');
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    if (options.raw !== undefined) {
      await sendRaw(session, 'PUT', options.raw, options);
      return;
    }
    const selected = await selectObjects(session, { words: [], ...options });
    if (options.force) {
      await forEachObject(selected, (object) => checkCreation(session, object, options), { io, done: 'replaced' });
      await deleteFirst(session, selected, options);
    }
    const printer = await createWrittenObjects(options, io);
    const replaceOne = async (object: SelectedObject): Promise<void> => {
      printer.print(await namingFile(object.manifest, 'replacing', writeOne(session, object, options)), 'replaced');
    };
    await forEachObject(selected, replaceOne, { io, done: 'replaced' });
  });
}

async function deleteFirst(
  session: Session,
  selected: readonly SelectedObject[],
  options: ReplaceOptions,
): Promise<void> {
  const gone = [];
  for (const object of selected) {
    try {
      // Replaced by force, an object ends at once unless a time is given.
      const gracePeriod = Math.max(options.gracePeriod, 0);
      gone.push(await deleteSelected(session, object, { ...options, force: gracePeriod === 0, gracePeriod }));
      session.io.stdout.write(
        `${object.resource.kind.toLowerCase()} "${object.name}" deleted${fromNamespace(object)}\n`,
      );
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
  await waitUntilGone(session, gone, options.timeout);
}

function fromNamespace({ namespace }: SelectedObject): string {
  return namespace === undefined ? '' : ` from ${namespace} namespace`;
}

/** Refusals of a new object that the end of the present one may resolve, or that tell nothing. */
const passingRefusals: readonly RegExp[] = [/already allocated/, /exceeded quota/, /does not support dry run/];

/** Throws the refusal of an object that could not be created once the present one is deleted. */
async function checkCreation(session: Session, selected: SelectedObject, options: ReplaceOptions): Promise<void> {
  try {
    await createOne(session, selected, options, true);
  } catch (error) {
    const isPassing = error instanceof StatusError && passingRefusals.some((pattern) => pattern.test(error.message));
    // Another object of the files may be the namespace.
    if (!isPassing && !hasReason(error, 'AlreadyExists', 'NotFound')) throw error;
  }
}

function createOne(
  session: Session,
  { resource, namespace, manifest }: SelectedObject,
  options: ReplaceOptions,
  dryRun = false,
): Promise<unknown> {
  const write = { ...writeOptions(session, namespace, options), dryRun };
  return session.client.resource(resource).create(newObject(manifest?.object ?? {}), write);
}

function writeOptions({ io }: Session, namespace: string | undefined, { fieldManager, validate }: ReplaceOptions) {
  const fieldValidation = fieldValidationOf(validate);
  return { fieldManager, fieldValidation, signal: io.signal, ...(namespace === undefined ? {} : { namespace }) };
}

async function writeOne(session: Session, selected: SelectedObject, options: ReplaceOptions): Promise<JsonObject> {
  const { resource, namespace, manifest } = selected;
  const object: JsonObject = manifest?.object ?? {};
  const { subresource, dryRun } = options;
  if (dryRun === 'client') return object;
  const write = { ...writeOptions(session, namespace, options), dryRun: dryRun === 'server' };
  // Manifests are objects, and the codec of the client returns JSON values.
  const written: unknown = options.force
    ? await createOne(session, selected, options)
    : await session.client
        .resource(resource)
        .update<string>(await withVersion(session, selected, object), subresource ? { ...write, subresource } : write);
  return written as JsonObject;
}

/** Some resources need a version: a manifest that has none replaces what there is now. */
async function withVersion(
  { client, io }: Session,
  { resource, name, namespace }: SelectedObject,
  object: JsonObject,
): Promise<JsonObject> {
  const metadata = objectAt(object, 'metadata');
  if (stringAt(metadata, 'resourceVersion') !== '') return object;
  const options = { signal: io.signal, ...(namespace === undefined ? {} : { namespace }) };
  try {
    const { metadata: present } = await client.resource(resource).get(name, options);
    const resourceVersion = present?.resourceVersion ?? '';
    return { ...object, metadata: { ...metadata, resourceVersion } };
  } catch (error) {
    // The server may create what is updated.
    if (hasReason(error, 'NotFound')) return object;
    throw error;
  }
}

import type { Invocation } from '../../../command.ts';
import { hasReason } from '../../../../client/status-error.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { readManifestFiles } from '../../../manifests/manifest-files.ts';
import { deleteObject, waitUntilGone } from '../../../objects/delete-object.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import { fieldValidationOf } from '../../../write-flags.ts';
import type { replaceFlags } from './flags.ts';

type ReplaceOptions = Invocation<typeof replaceFlags>['options'];

/** `cl replace -f`: replaces objects as a whole; with `--force` deletes and creates them. */
export async function replace({ options, io }: Invocation<typeof replaceFlags>): Promise<void> {
  if (options.filename.length === 0 && !options.kustomize) throw new CliError('must specify one of -f and -k');
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    if (options.raw !== undefined) {
      const [file] = await readManifestFiles(options, io);
      const body = file?.bytes ?? Buffer.alloc(0);
      const request = { method: 'PUT', path: options.raw, body, contentType: 'application/json', signal: io.signal };
      io.stdout.write(await client.transport.request(request));
      return;
    }
    const selected = await selectObjects(session, { words: [], ...options });
    if (options.force && options.dryRun === 'none') await deleteFirst(session, selected, options);
    const printer = await createWrittenObjects(options, io);
    const replaceOne = async (object: SelectedObject): Promise<void> => {
      printer.print(await writeOne(session, object, options), 'replaced');
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
      gone.push(await deleteObject(session, object, { ...options, force: gracePeriod === 0, gracePeriod }));
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

async function writeOne(session: Session, selected: SelectedObject, options: ReplaceOptions): Promise<JsonObject> {
  const { resource, namespace, manifest } = selected;
  const object: JsonObject = manifest?.object ?? {};
  if (options.dryRun === 'client') return object;
  const { subresource, fieldManager, validate, dryRun } = options;
  const write = {
    fieldManager,
    fieldValidation: fieldValidationOf(validate),
    dryRun: dryRun === 'server',
    signal: session.io.signal,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const objects = session.client.resource(resource);
  // Manifests are objects, and the codec of the client returns JSON values.
  const written: unknown = options.force
    ? await objects.create(object, write)
    : await objects.update<string>(
        await withVersion(session, selected, object),
        subresource ? { ...write, subresource } : write,
      );
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

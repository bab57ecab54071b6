import type { Invocation } from '../../command.ts';
import type { createFlags } from './flags.ts';
import { CliError } from '../../cli-error.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { metadataOf } from '../../../meta/object-meta.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { namingFile } from '../../manifests/naming-file.ts';
import { type Manifest, readManifests } from '../../manifests/read-manifests.ts';
import { labelMatcher } from '../../objects/select-objects.ts';
import { newObject } from '../../objects/new-object.ts';
import { sendRaw } from '../../objects/send-raw.ts';
import { createWrittenObjects } from '../../objects/written-objects.ts';
import { fieldValidationOf } from '../../write-flags.ts';

type CreateOptions = Invocation<typeof createFlags>['options'];

/**
 * `cl create -f`: creates the objects of files in order, after an edit of each with `--edit`;
 * continues after a refused one.
 */
export async function create({ words, options, io }: Invocation<typeof createFlags>): Promise<void> {
  if (words.length > 0) {
    throw new CliError(`"${words[0]}" cannot be created without a file`, { hint: 'cl create --help lists what can' });
  }
  if (options.raw === undefined && options.filename.length === 0 && !options.kustomize) {
    throw new CliError('nothing to create was given', {
      hint: 'cl create -f FILE, or cl create TYPE NAME; see cl create --help',
    });
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    if (options.raw !== undefined) {
      await sendRaw(session, 'POST', options.raw, options);
      return;
    }
    const matches = await labelMatcher(options.selector);
    const manifests = (await readManifests(options, io)).filter(({ object }) => matches(object));
    if (manifests.length === 0) {
      throw new CliError('no objects passed to create', { hint: 'none in the files has the labels' });
    }
    const createOne = await creator(session, options);
    if (!options.edit) {
      await forEachObject(manifests, createOne, { io, done: 'created' });
      return;
    }
    const { editBeforeCreate } = await import('./edit/edit-before-create.ts');
    const editOne = (manifest: Manifest) => editBeforeCreate(manifest, createOne, { options, io });
    await forEachObject(manifests, editOne, { io, done: 'created' });
  });
}

/** Returns a function that creates one object, or shows it with `--dry-run=client`. */
async function creator(
  { client, io }: Session,
  options: CreateOptions,
): Promise<(manifest: Manifest) => Promise<void>> {
  const printer = await createWrittenObjects(options, io);
  const find = createResourceFinder(client, io.signal);
  return async (manifest) => {
    const resource = await find(manifest);
    const namespace = manifestNamespace(manifest, options.namespace);
    if (options.dryRun === 'client') {
      const { object } = manifest;
      const shown = resource.namespaced ? placed(object, namespace ?? client.settings.namespace) : object;
      printer.print(shown, 'created');
      return;
    }
    const creation = client.resource(resource).create(newObject(manifest.object), {
      ...(namespace === undefined ? {} : { namespace }),
      fieldManager: options.fieldManager,
      fieldValidation: fieldValidationOf(options.validate),
      dryRun: options.dryRun === 'server',
      signal: io.signal,
    });
    const created = await namingFile(manifest, 'creating', creation);
    // The codec of the client returns JSON values.
    printer.print(created as JsonObject, 'created');
  };
}

/** The object with its namespace, as the server would have it. */
function placed(object: JsonObject, namespace: string): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), namespace } };
}

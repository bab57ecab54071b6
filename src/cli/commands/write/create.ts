import type { Invocation } from '../../command.ts';
import type { createFlags } from './flags.ts';
import { CliError } from '../../cli-error.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { metadataOf } from '../../../meta/object-meta.ts';
import { withClient } from '../../connect.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { type Manifest, readManifests } from '../../manifests/read-manifests.ts';
import { labelMatcher } from '../../objects/select-objects.ts';
import { createWrittenObjects } from '../../objects/written-objects.ts';
import { fieldValidationOf } from '../../write-flags.ts';

/** `cl create -f`: creates the objects of files in order; continues after a refused one. */
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
    if (options.raw !== undefined) {
      const [file] = await (await import('../../manifests/manifest-files.ts')).readManifestFiles(options, io);
      const body = file?.bytes ?? Buffer.alloc(0);
      const request = { method: 'POST', path: options.raw, body, contentType: 'application/json', signal: io.signal };
      io.stdout.write(await client.transport.request(request));
      return;
    }
    const matches = await labelMatcher(options.selector);
    const manifests = (await readManifests(options, io)).filter(({ object }) => matches(object));
    const printer = await createWrittenObjects(options, io);
    const find = createResourceFinder(client, io.signal);
    const createOne = async (manifest: Manifest): Promise<void> => {
      const resource = await find(manifest);
      const namespace = manifestNamespace(manifest, options.namespace);
      if (options.dryRun === 'client') {
        printer.print(
          resource.namespaced ? placed(manifest.object, namespace ?? client.settings.namespace) : manifest.object,
          'created',
        );
        return;
      }
      const created = await client.resource(resource).create(manifest.object, {
        ...(namespace === undefined ? {} : { namespace }),
        fieldManager: options.fieldManager,
        fieldValidation: fieldValidationOf(options.validate),
        dryRun: options.dryRun === 'server',
        signal: io.signal,
      });
      // The codec of the client returns JSON values.
      printer.print(created as JsonObject, 'created');
    };
    await forEachObject(manifests, createOne, { io, done: 'created' });
  });
}

/** The object with its namespace, as the server would have it. */
function placed(object: JsonObject, namespace: string): JsonObject {
  return { ...object, metadata: { ...metadataOf(object), namespace } };
}

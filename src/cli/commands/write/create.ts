import type { Invocation } from '../../command.ts';
import type { createFlags } from './flags.ts';
import { withClient } from '../../connect.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifest-resource.ts';
import { writtenPrinter } from '../../printers/print-written.ts';
import { type Manifest, readManifests } from '../../read-manifests.ts';

/** `cl create -f`: creates the objects of files in order; continues after a refused one. */
export async function create({ options, io }: Invocation<typeof createFlags>): Promise<void> {
  const manifests = await readManifests(options.filename, io);
  await withClient({ options, io }, async (client) => {
    const print = await writtenPrinter(options, io);
    const find = createResourceFinder(client, io.signal);
    const createOne = async (manifest: Manifest): Promise<string> => {
      const resource = await find(manifest);
      const namespace = manifestNamespace(manifest, options.namespace);
      // Strict, so that a misspelled field in a user's file is an error.
      const write = { namespace, fieldManager: 'cl-create', fieldValidation: 'Strict', signal: io.signal } as const;
      const created = await client.resource(resource).create(manifest.object, write);
      return print(created, 'created');
    };
    await forEachObject(manifests, createOne, { io, done: 'created' });
  });
}

import type { CliIo, GlobalOptions } from '../cli-io.ts';
import { connect } from '../connect.ts';
import { forEachObject } from '../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../manifest-resource.ts';
import { printObject, type WrittenOutput } from '../printers/written-object.ts';
import { type Manifest, readManifests } from '../read-manifests.ts';

/** Options of `cl create`. */
export interface CreateCommandOptions extends GlobalOptions {
  readonly filename: readonly string[];
  readonly output?: WrittenOutput;
}

/** `cl create -f`: creates the objects of files in order; continues after a refused one. */
export async function create(options: CreateCommandOptions, io: CliIo): Promise<void> {
  const manifests = await readManifests(options.filename, io);
  const client = await connect(options, io);
  const find = createResourceFinder(client, io.signal);
  const createOne = async (manifest: Manifest): Promise<string> => {
    const resource = await find(manifest);
    const namespace = manifestNamespace(manifest, options.namespace);
    // Strict, so that a misspelled field in a user's file is an error.
    const write = { namespace, fieldManager: 'cl-create', fieldValidation: 'Strict', signal: io.signal } as const;
    const created = await client.resource(resource).create(manifest.object, write);
    return printObject(created, { resource, output: options.output, done: 'created' });
  };
  try {
    await forEachObject(manifests, createOne, { io, done: 'created' });
  } finally {
    await client.close();
  }
}

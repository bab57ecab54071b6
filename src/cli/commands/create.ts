import type { GenericObject } from '../../client/api-object.ts';
import type { CliIo, GlobalOptions } from '../cli-io.ts';
import { connect } from '../connect.ts';
import { forEachObject } from '../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../manifest-resource.ts';
import { printJson } from '../printers/json.ts';
import { objectName } from '../printers/name.ts';
import { printYaml } from '../printers/yaml.ts';
import { type Manifest, readManifests } from '../read-manifests.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** Options of `cl create`. */
export interface CreateCommandOptions extends GlobalOptions {
  readonly filename: readonly string[];
  readonly output?: 'json' | 'yaml' | 'name';
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
    return render(options.output, created, objectName(resource, created.metadata?.name ?? ''));
  };
  try {
    await forEachObject(manifests, createOne, { io, done: 'created' });
  } finally {
    await client.close();
  }
}

function render(output: CreateCommandOptions['output'], created: GenericObject, name: string): string {
  // The codec of the client returns JSON values.
  const value = created as JsonObject;
  const printers = {
    json: () => printJson(value),
    yaml: () => printYaml(value, true),
    name: () => `${name}\n`,
    created: () => `${name} created\n`,
  };
  return printers[output ?? 'created']();
}

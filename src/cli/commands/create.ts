import type { GenericObject } from '../../client/api-object.ts';
import { CliError, errorLine } from '../cli-error.ts';
import type { CliIo, GlobalOptions } from '../cli-io.ts';
import { connect } from '../connect.ts';
import { createResourceFinder, manifestNamespace } from '../manifest-resource.ts';
import { printJson } from '../printers/json.ts';
import { objectName } from '../printers/name.ts';
import { printYaml } from '../printers/yaml.ts';
import { readManifests } from '../read-manifests.ts';
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
  let failures = 0;
  try {
    const find = createResourceFinder(client, io.signal);
    for (const manifest of manifests) {
      try {
        const resource = await find(manifest);
        const namespace = manifestNamespace(manifest, options.namespace);
        // Strict, so that a misspelled field in a user's file is an error.
        const write = { namespace, fieldManager: 'cl-create', fieldValidation: 'Strict', signal: io.signal } as const;
        const created = await client.resource(resource).create(manifest.object, write);
        const name = objectName(resource, created.metadata?.name ?? '');
        io.stdout.write(render(options.output, created, name));
      } catch (error) {
        if (io.signal.aborted) throw error;
        io.stderr.write(`${errorLine(error)}\n`);
        failures += 1;
      }
    }
  } finally {
    await client.close();
  }
  if (failures > 0) throw new CliError(`${failures} of ${manifests.length} objects were not created`);
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

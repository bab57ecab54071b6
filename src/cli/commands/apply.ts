import type { Client } from '../../client/client.ts';
import { hasReason } from '../../client/status-error.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo, GlobalOptions } from '../cli-io.ts';
import { connect } from '../connect.ts';
import { forEachObject } from '../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../manifest-resource.ts';
import { printObject, type WrittenOutput } from '../printers/written-object.ts';
import { type Manifest, readManifests } from '../read-manifests.ts';

/** Options of `cl apply`. */
export interface ApplyCommandOptions extends GlobalOptions {
  readonly filename: readonly string[];
  readonly fieldManager: string;
  readonly forceConflicts?: boolean;
  readonly dryRun?: boolean;
  readonly output?: WrittenOutput;
}

/**
 * `cl apply -f`: applies the objects of files in order, on the server (spec 4.8); continues after a
 * refused one.
 */
export async function apply(options: ApplyCommandOptions, io: CliIo): Promise<void> {
  const manifests = await readManifests(options.filename, io);
  const client = await connect(options, io);
  try {
    await forEachObject(manifests, applying(client, options, io), { io, done: 'applied' });
  } finally {
    await client.close();
  }
}

function applying(client: Client, options: ApplyCommandOptions, io: CliIo): (manifest: Manifest) => Promise<string> {
  const { fieldManager, forceConflicts: force = false, dryRun = false, output } = options;
  const find = createResourceFinder(client, io.signal);
  const done = dryRun ? 'applied (dry run)' : 'applied';
  return async (manifest) => {
    const resource = await find(manifest);
    const namespace = manifestNamespace(manifest, options.namespace);
    // Strict, so that a misspelled field in a user's file is an error.
    const write = { namespace, fieldManager, force, dryRun, fieldValidation: 'Strict', signal: io.signal } as const;
    const applied = await client.resource(resource).apply(manifest.object, write).catch(withHint);
    return printObject(applied, { resource, output, done });
  };
}

function withHint(error: unknown): never {
  if (!hasReason(error, 'Conflict')) throw error;
  const hint = 'leave these fields out, or take them over with --force-conflicts';
  throw new CliError((error as Error).message, { hint, cause: error });
}

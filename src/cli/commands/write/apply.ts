import type { Invocation } from '../../command.ts';
import type { applyFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import { hasReason } from '../../../client/status-error.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifest-resource.ts';
import { writtenPrinter } from '../../printers/print-written.ts';
import { type Manifest, readManifests } from '../../read-manifests.ts';

/**
 * `cl apply -f`: applies the objects of files in order, on the server (spec 4.8); continues after a
 * refused one.
 */
export async function apply({ options, io }: Invocation<typeof applyFlags>): Promise<void> {
  const manifests = await readManifests(options.filename, io);
  await withClient({ options, io }, async (client) => {
    const print = await writtenPrinter({ ...options, dryRun: options.dryRun ? 'server' : 'none' }, io);
    await forEachObject(manifests, applying({ client, options, io }, print), { io, done: 'applied' });
  });
}

interface ApplyRun {
  readonly client: Client;
  readonly options: Invocation<typeof applyFlags>['options'];
  readonly io: CliIo;
}

function applying(
  { client, options, io }: ApplyRun,
  print: Awaited<ReturnType<typeof writtenPrinter>>,
): (manifest: Manifest) => Promise<string> {
  const { fieldManager, forceConflicts: force, dryRun } = options;
  const find = createResourceFinder(client, io.signal);
  return async (manifest) => {
    const resource = await find(manifest);
    const namespace = manifestNamespace(manifest, options.namespace);
    // Strict, so that a misspelled field in a user's file is an error.
    const write = { namespace, fieldManager, force, dryRun, fieldValidation: 'Strict', signal: io.signal } as const;
    const applied = await client.resource(resource).apply(manifest.object, write).catch(withHint);
    return print(applied, 'applied');
  };
}

function withHint(error: unknown): never {
  if (!hasReason(error, 'Conflict')) throw error;
  const hint = 'leave these fields out, or take them over with --force-conflicts';
  throw new CliError((error as Error).message, { hint, cause: error });
}

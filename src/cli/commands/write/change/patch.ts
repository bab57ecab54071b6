import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Invocation } from '../../../command.ts';
import type { JsonObject, JsonValue } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { readManifests } from '../../../manifests/read-manifests.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { mergePatchBetween } from '../../../objects/merge-patch-between.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import type { patchFlags } from './flags.ts';

type PatchOptions = Invocation<typeof patchFlags>['options'];

/** `cl patch`: sends a patch to objects, or with `--local` applies it to the objects of files. */
export async function patch({ words, options, io }: Invocation<typeof patchFlags>): Promise<void> {
  const body = await readPatch(options, io);
  if (options.local) {
    await patchFiles(options, io, body);
    return;
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    // Without a note, as other clients print it.
    const printer = await createWrittenObjects({ ...options, dryRun: 'none' }, io);
    const patchOne = async (object: SelectedObject): Promise<void> => {
      const before = await object.load();
      const { dryRun, fieldManager, type, subresource } = options;
      // The server knows how lists are merged, also for what is only shown.
      const mode = dryRun === 'client' ? 'server' : dryRun;
      const after = await patchObject(session, object, body, { dryRun: mode, fieldManager, type, subresource });
      printer.print(after, mergePatchBetween(before, after) ? 'patched' : 'patched (no change)');
    };
    await forEachObject(await selectObjects(session, { words, ...options }), patchOne, { io, done: 'patched' });
  });
}

async function readPatch({ patch: text, patchFile }: PatchOptions, io: CliIo): Promise<JsonValue> {
  if ((text === undefined) === (patchFile === undefined)) throw new CliError('one of -p and --patch-file is needed');
  const source =
    text ??
    (await readFile(resolve(io.directory, patchFile ?? ''), 'utf8').catch((cause: unknown) => {
      throw new CliError(`${patchFile} cannot be read`, { cause });
    }));
  const { decodeYaml } = await import('../../../../codec/decode-yaml.ts');
  try {
    return decodeYaml(Buffer.from(source)).value;
  } catch (cause) {
    throw new CliError(`the patch is neither JSON nor YAML: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

async function patchFiles(options: PatchOptions, io: CliIo, body: JsonValue): Promise<void> {
  const printer = await createWrittenObjects(options, io);
  const { type } = options;
  const { applyJsonPatch } = await import('../../../../patch/json-patch.ts');
  const { applyMergePatch } = await import('../../../../patch/merge-patch.ts');
  if (type === 'strategic') {
    throw new CliError('--local needs --type=merge or --type=json', {
      hint: 'how lists are merged is known to the server',
    });
  }
  for (const { object } of await readManifests(options, io)) {
    const after = type === 'json' ? applyJsonPatch(object, body) : applyMergePatch(object, body);
    // A patch of an object that is not an object itself was refused.
    printer.print(
      after as JsonObject,
      mergePatchBetween(object, after as JsonObject) ? 'patched' : 'patched (no change)',
    );
  }
}

import { nameOf } from '../../../../meta/object-meta.ts';
import type { CliIo } from '../../../cli-io.ts';
import { editObjects, type Refusal } from '../../../editing/edit-objects.ts';
import { mendable } from '../../../editing/mendable.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import type { PrintOptions } from '../../../printers/print-object.ts';
import { editedFormat } from './edited-format.ts';
import { visibleText } from '../../../format-rows.ts';

interface EditingCaller {
  readonly options: PrintOptions & { readonly windowsLineEndings: boolean };
  readonly io: CliIo;
}

/** Opens an object of a file in the editor, and creates what is saved. */
export async function editBeforeCreate(
  manifest: Manifest,
  createOne: (manifest: Manifest) => Promise<void>,
  { options, io }: EditingCaller,
): Promise<void> {
  const write = async (edited: readonly Manifest[]): Promise<readonly Refusal[]> => {
    const refusals: Refusal[] = [];
    for (const each of edited) {
      await createOne(each).catch((error: unknown) => {
        io.signal.throwIfAborted();
        const refusal = mendable(error, visibleText(`${each.object.kind} "${nameOf(each.object)}"`));
        if (!refusal) throw error;
        refusals.push(refusal);
      });
    }
    return refusals;
  };
  const purpose = 'Change the object below, save, and leave the editor: it is then created.';
  const { windowsLineEndings } = options;
  await editObjects(
    { objects: [manifest.object], format: editedFormat(options), windowsLineEndings, purpose, write },
    io,
  );
}

import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { metadataOf } from '../../../../meta/object-meta.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { editObjects, shownObjects } from '../../../editing/edit-objects.ts';
import type { Session } from '../../../find-type.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import { editedFormat } from './edited-format.ts';
import type { editFlags } from './flags.ts';
import { createEditWriter } from './write-edited.ts';

/** `cl edit`: opens objects in the editor, and sends what was changed. */
export async function edit({ words, options, io }: Invocation<typeof editFlags>): Promise<void> {
  const format = editedFormat(options);
  const printer = await createWrittenObjects({ ...options, dryRun: 'none' }, io);
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const selected = await selectObjects(session, { words, ...options, allIfUnnamed: true });
    if (selected.length === 0) throw new CliError('edit cancelled, no objects found');
    const load = (object: SelectedObject) => loadPart(session, object, options.subresource);
    const shape = (object: JsonObject): JsonObject => shownForm(object, options.showManagedFields);
    const loaded = await Promise.all(selected.map(load));
    const shown = await shownObjects(loaded.map(shape));
    const targets = selected.map((object, at) => ({ ...object, shown: shown[at] ?? {}, load: () => load(object) }));
    const write = createEditWriter(session, targets, { ...options, printer, shape });
    const { windowsLineEndings } = options;
    const purpose = 'Change the objects below, save, and leave the editor.';
    await editObjects({ objects: shown, format, windowsLineEndings, purpose, write }, io);
  });
}

async function loadPart(
  { client, io }: Session,
  { resource, name, namespace, load }: SelectedObject,
  subresource: string | undefined,
): Promise<JsonObject> {
  if (!subresource) return load();
  const place = namespace === undefined ? {} : { namespace };
  const found: unknown = await client.resource(resource).get(name, { ...place, subresource, signal: io.signal });
  // The codec of the client returns JSON values.
  return found as JsonObject;
}

function shownForm(object: JsonObject, showManagers: boolean): JsonObject {
  if (showManagers) return object;
  const { managedFields: _, ...metadata } = metadataOf(object) ?? {};
  return { ...object, metadata };
}

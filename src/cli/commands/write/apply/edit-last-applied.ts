import { isDeepStrictEqual } from 'node:util';
import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, nameOf, namespaceOf } from '../../../../meta/object-meta.ts';
import { sortKeys } from '../../../../meta/sort-keys.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { editObjects, type Refusal, shownObjects } from '../../../editing/edit-objects.ts';
import { mendable } from '../../../editing/mendable.ts';
import type { Session } from '../../../find-type.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects, shortName, type WrittenObjects } from '../../../objects/written-objects.ts';
import { editedFormat } from '../edit/edited-format.ts';
import { applyObject } from './apply-object.ts';
import { lastAppliedAnnotations } from '../../../objects/client-side-fields.ts';
import type { editLastAppliedFlags } from './flags.ts';
import { lastAppliedOf } from './view-last-applied.ts';

type EditOptions = Invocation<typeof editLastAppliedFlags>['options'];

/** An object, and what was applied last to it as it is in the editor. */
interface AppliedRecord extends SelectedObject {
  readonly object: JsonObject;
  readonly shown: JsonObject;
}

/**
 * `cl apply edit-last-applied`: opens what was applied last in the editor. If the object has the
 * annotation of client-side apply, the annotation is changed. Otherwise the server has the record,
 * and the changed text is applied.
 */
export async function editLastApplied({ words, options, io }: Invocation<typeof editLastAppliedFlags>): Promise<void> {
  const format = editedFormat(options);
  const printer = await createWrittenObjects({ ...options, dryRun: 'none' }, io);
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const selected = await selectObjects(session, { words, ...options, allIfUnnamed: true });
    const records = await recordsOf(selected, options.fieldManager);
    if (records.length === 0) {
      throw new CliError('no last-applied-configuration annotation found on resources', {
        hint: 'nothing was applied; "cl apply set-last-applied --create-annotation" creates it',
      });
    }
    const { windowsLineEndings } = options;
    const purpose = 'Change below what was applied last, save, and leave the editor.';
    const objects = records.map(({ shown }) => shown);
    const write = (edited: readonly Manifest[]) => writeRecords(session, { records, options, printer }, edited);
    await editObjects({ objects, format, windowsLineEndings, purpose, write }, io);
  });
}

async function recordsOf(selected: readonly SelectedObject[], manager: string): Promise<readonly AppliedRecord[]> {
  const found: AppliedRecord[] = [];
  for (const each of selected) {
    const object = await each.load();
    const applied = lastAppliedOf(object, manager);
    const [shown] = applied ? await shownObjects([applied]) : [];
    if (shown) found.push({ ...each, object, shown });
  }
  return found;
}

interface RecordWriting {
  readonly records: readonly AppliedRecord[];
  readonly options: EditOptions;
  readonly printer: WrittenObjects;
}

async function writeRecords(
  session: Session,
  { records, options, printer }: RecordWriting,
  edited: readonly Manifest[],
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const manifest of edited) {
    const { object } = manifest;
    try {
      const record = records.find(({ shown }) => identityOf(shown) === identityOf(object));
      if (!record) throw new CliError(`${shortName(object)} is none of the objects that are edited`);
      if (isDeepStrictEqual(record.shown, object)) printer.print(record.object, 'skipped');
      else printer.print(await writeRecord(session, record, manifest, options), 'edited');
    } catch (error) {
      session.io.signal.throwIfAborted();
      const refusal = mendable(error, shortName(object));
      if (!refusal) throw error;
      refusals.push(refusal);
    }
  }
  return refusals;
}

function identityOf(object: JsonObject): string {
  return JSON.stringify([object.apiVersion, object.kind, namespaceOf(object), nameOf(object)]);
}

async function writeRecord(
  session: Session,
  record: AppliedRecord,
  manifest: Manifest,
  { fieldManager, validate, namespace }: EditOptions,
): Promise<JsonObject> {
  const annotations = annotationsOf(record.object);
  const key = lastAppliedAnnotations.find((each) => Object.hasOwn(annotations, each));
  if (key !== undefined) {
    const text = `${session.client.codec.stringify(sortKeys(manifest.object))}\n`;
    return patchObject(
      session,
      record,
      { metadata: { annotations: { [key]: text } } },
      { dryRun: 'none', fieldManager },
    );
  }
  const { client, io } = session;
  const settings = { client, signal: io.signal, fieldManager, validate, namespace, force: false } as const;
  const { object } = await applyObject(
    { ...settings, dryRun: 'none', subresource: undefined },
    record.resource,
    manifest,
  );
  return object;
}

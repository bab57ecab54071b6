import type { Invocation } from '../../../command.ts';
import { isJsonObject, type JsonObject, setOwn } from '../../../../meta/json-value.ts';
import { annotationsOf, labelsOf, metadataOf, resourceVersionOf } from '../../../../meta/object-meta.ts';
import { makeObjectAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { changeObjects } from '../../../objects/change-objects.ts';
import { type KeyChanges, readKeyChanges } from '../../../objects/key-changes.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { annotateFlags, labelFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';

type MetadataInvocation = Invocation<typeof labelFlags> | Invocation<typeof annotateFlags>;

/** `cl label`: sets and removes labels. */
export function label(invocation: Invocation<typeof labelFlags>): Promise<void> {
  return changeMetadata(invocation, 'labels');
}

/** `cl annotate`: sets and removes annotations. */
export function annotate(invocation: Invocation<typeof annotateFlags>): Promise<void> {
  return changeMetadata(invocation, 'annotations');
}

async function changeMetadata(
  { words, options, io }: MetadataInvocation,
  field: 'labels' | 'annotations',
): Promise<void> {
  const changes = readKeyChanges(words);
  const isChange = changes.set.size > 0 || changes.remove.length > 0;
  const selection = { ...options, words: changes.words };
  if (!isChange && !options.list) {
    throw new CliError(`at least one ${field.slice(0, -1)} update is required`, {
      hint: 'KEY=VALUE sets, KEY- removes',
    });
  }
  if (isChange) {
    await changeObjects(
      { options, io },
      {
        selection,
        options,
        change: (object) => changeKeys(object, field, changes, options, io),
        done: (before, after) => doneOf(field, before, after, changes),
        unchanged: field === 'labels' ? 'not labeled' : 'annotated',
      },
    );
  }
  if (options.list) await listKeys({ options, io }, selection, field);
}

function keysOf(object: JsonObject, field: 'labels' | 'annotations'): Readonly<Record<string, string>> {
  return field === 'labels' ? labelsOf(object) : annotationsOf(object);
}

function changeKeys(
  object: JsonObject,
  field: 'labels' | 'annotations',
  { set, remove }: KeyChanges,
  { overwrite, resourceVersion }: MetadataInvocation['options'],
  io: CliIo,
): void {
  if (resourceVersion !== undefined && resourceVersion !== resourceVersionOf(object)) {
    throw new CliError(`the object is at version ${resourceVersionOf(object)}, not ${resourceVersion}`);
  }
  const known = keysOf(object, field);
  const refused = [...set].filter(([key, value]) => Object.hasOwn(known, key) && known[key] !== value);
  const [first] = refused;
  if (first && !overwrite) {
    const each = refused.map(([key]) => `'${key}' already has a value (${visibleText(known[key] ?? '')})`);
    throw new CliError(`${each.join('; ')}, and --overwrite is false`, { hint: 'add --overwrite' });
  }
  const metadata = metadataOf(object) ?? makeObjectAt(object, 'metadata');
  const values = makeObjectAt(metadata, field);
  for (const key of remove) {
    if (field === 'labels' && !Object.hasOwn(values, key)) io.stdout.write(`label "${visibleText(key)}" not found.\n`);
    delete values[key];
  }
  for (const [key, value] of set) setOwn(values, key, value);
  if (Object.keys(values).length === 0 && !isJsonObject(metadata[field])) delete metadata[field];
}

function doneOf(field: string, before: JsonObject, after: JsonObject, { set }: KeyChanges): string {
  if (field === 'annotations') return 'annotated';
  const isSet = [...set.keys()].some((key) => labelsOf(before)[key] !== labelsOf(after)[key]);
  return isSet ? 'labeled' : 'unlabeled';
}

async function listKeys(
  { options, io }: Pick<MetadataInvocation, 'options' | 'io'>,
  selection: Parameters<typeof selectObjects>[1],
  field: 'labels' | 'annotations',
): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const selected = await selectObjects({ client, options, io }, selection);
    const show = async ({ load, resource, name }: SelectedObject): Promise<string> => {
      const keys = keysOf(await load(), field);
      const lines = Object.keys(keys)
        .toSorted()
        .map((key) => `${visibleText(key)}=${visibleText(keys[key] ?? '')}\n`);
      const heading =
        selected.length > 1 ? `Listing ${field} for ${resource.kind}.${resource.group}/${visibleText(name)}:\n` : '';
      return heading + lines.map((line) => (heading ? ` ${line}` : line)).join('');
    };
    await forEachObject(selected, show, { io, done: 'shown' });
  });
}

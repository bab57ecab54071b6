import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf } from '../../../../meta/object-meta.ts';
import { sortKeys } from '../../../../meta/sort-keys.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { appliedFields } from '../../../objects/applied-fields.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import { printJson } from '../../../printers/json.ts';
import { printYaml } from '../../../printers/yaml.ts';
import { lastAppliedAnnotation, lastAppliedAnnotations } from '../../../objects/client-side-fields.ts';
import type { setLastAppliedFlags, viewLastAppliedFlags } from './flags.ts';

/**
 * `cl apply view-last-applied`: what was applied last, from the annotation of clients that apply
 * without the server, or else from the fields that the manager owns.
 */
export async function viewLastApplied({ words, options, io }: Invocation<typeof viewLastAppliedFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const selected = await selectObjects({ client, options, io }, { words, ...options });
    let printed = 0;
    const show = async ({ load, resource, name }: SelectedObject): Promise<void> => {
      const applied = lastAppliedOf(await load(), options.fieldManager);
      if (!applied) throw new CliError(`${resource.resource}/${name} was not applied`, { hint: 'nothing is recorded' });
      io.stdout.write(options.output === 'json' ? printJson(applied) : printYaml(applied, printed++ > 0));
    };
    await forEachObject(selected, show, { io, done: 'shown' });
  });
}

/** The configuration that was applied last to an object; undefined if nothing was. */
export function lastAppliedOf(object: JsonObject, manager: string): JsonObject | undefined {
  const annotations = annotationsOf(object);
  const key = lastAppliedAnnotations.find((each) => Object.hasOwn(annotations, each));
  if (key === undefined) return appliedFields(object, manager);
  try {
    // Clients write an object there.
    return JSON.parse(annotations[key] ?? '') as JsonObject;
  } catch (cause) {
    throw new CliError(`the annotation ${key} is not JSON`, { cause });
  }
}

/**
 * `cl apply set-last-applied`: sets the annotation of clients that apply without the server to what
 * files have.
 */
export async function setLastApplied({ options, io }: Invocation<typeof setLastAppliedFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const printer = await createWrittenObjects(options, io);
    const usual = lastAppliedAnnotation(await serverIdentifiers(session));
    const set = async (selected: SelectedObject): Promise<void> => {
      const before = await selected.load();
      const annotations = annotationsOf(before);
      const key = lastAppliedAnnotations.find((each) => Object.hasOwn(annotations, each));
      if (key === undefined && !options.createAnnotation) {
        throw new CliError(`no last-applied-configuration annotation found on resource: ${selected.name}`, {
          hint: 'create it with --create-annotation',
        });
      }
      const text = `${JSON.stringify(sortKeys(selected.manifest?.object ?? {}))}\n`;
      const patch = { metadata: { annotations: { [key ?? usual]: text } } };
      const isDry = options.dryRun === 'client';
      printer.print(isDry ? before : await patchObject(session, selected, patch, options), 'configured');
    };
    await forEachObject(await selectObjects(session, { words: [], ...options }), set, { io, done: 'configured' });
  });
}

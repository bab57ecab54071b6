import type { GenericObject } from '../../../client/api-object.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { objectAt, type ObjectPlace, type ObjectState, statesOf } from '../../object-history.ts';
import { printJson } from '../../printers/json.ts';
import { printYaml } from '../../printers/yaml.ts';
import { readTargets } from '../../targets.ts';
import type { historyFlags } from './flags.ts';
import { type FieldPath, writerOf } from './writer-of.ts';

/** `cl history`: the changes of an object that the store still has, or one of its states. */
export async function history({ words, options, io }: Invocation<typeof historyFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const [target] = await readTargets(session, words);
    const [name] = target?.names ?? [];
    if (!target || name === undefined || target.names.length > 1) {
      throw new CliError('one object is needed', { hint: 'cl history TYPE NAME' });
    }
    const { resource } = target;
    const place = { resource, name, namespace: resource.namespaced ? client.settings.namespace : undefined };
    if (options.revision === undefined) io.stdout.write(table(await statesOf(session, place), place));
    else {
      // The codec of the client returns JSON values.
      const object = (await objectAt(session, place, options.revision)) as JsonObject;
      io.stdout.write(options.output === 'json' ? printJson(object) : printYaml(object));
    }
  });
}

function table(states: readonly ObjectState[], { resource, name }: ObjectPlace): string {
  if (states.length === 0) throw new CliError(`the store has no ${resource.resource} "${name}" and no past of one`);
  const rows = states.map((state, index) => {
    const before = states[index - 1]?.object;
    const fields = fieldsOf(state, before);
    const manager = writerOf(state, before, fields);
    return [String(state.revision), state.change, visibleText(manager), shownFields(fields).join(', ')];
  });
  const all = [['REVISION', 'CHANGE', 'MANAGER', 'FIELDS'], ...rows];
  return formatRows(all, columnWidths(all));
}

const mostFields = 4;

function fieldsOf({ change, object }: ObjectState, before: GenericObject | undefined): FieldPath[] {
  if (change !== 'changed' || !before) return [];
  return changedPaths(contentOf(before), contentOf(object), []);
}

function shownFields(fields: readonly FieldPath[]): string[] {
  const paths = fields.map((path) => visibleText(path.join('.')));
  const rest = paths.length - mostFields;
  return rest > 0 ? [...paths.slice(0, mostFields), `and ${rest} more`] : paths;
}

/** The object without the fields that change with every write. */
function contentOf(object: GenericObject): JsonObject {
  // The codec of the client returns JSON values.
  const { metadata, ...others } = object as JsonObject;
  const { resourceVersion: _, managedFields: __, generation: ___, ...kept } = isJsonObject(metadata) ? metadata : {};
  return { ...others, metadata: kept };
}

/** The paths of the values that differ; below a list it is the list. */
function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath): FieldPath[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changedPaths(before[name], after[name], [...path, name]));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

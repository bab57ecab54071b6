import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { objectAt, type ObjectPlace, type ObjectState, statesOf } from '../../object-history.ts';
import { printJson } from '../../printers/json.ts';
import { printYaml } from '../../printers/yaml.ts';
import { readTargets } from '../../targets.ts';
import { changedFields } from './changed-fields.ts';
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
    const fields = changedFields(state, before);
    const manager = writerOf(state, before, fields);
    return [String(state.revision), state.change, visibleText(manager), shownFields(fields).join(', ')];
  });
  const all = [['REVISION', 'CHANGE', 'MANAGER', 'FIELDS'], ...rows];
  return formatRows(all, columnWidths(all));
}

const mostFields = 4;

function shownFields(fields: readonly FieldPath[]): string[] {
  const paths = fields.map((path) => visibleText(path.join('.')));
  const rest = paths.length - mostFields;
  return rest > 0 ? [...paths.slice(0, mostFields), `and ${rest} more`] : paths;
}

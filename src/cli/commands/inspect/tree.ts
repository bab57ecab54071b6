import type { Invocation } from '../../command.ts';
import type { treeFlags } from './flags.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { readTargets } from '../../targets.ts';
import { openSource, type Source } from './describe/parts/related.ts';
import { since, textAt, valueAt } from './describe/parts/values.ts';
import { objectState } from './tree/object-state.ts';
import { readOwners } from './tree/read-owners.ts';
import { placesOf, type TreePlace } from './tree/tree-places.ts';

/** Each has a connection of its own. */
const readAtATime = 16;

/** `cl tree`: shows the owners and dependents of an object, by the UIDs of their references. */
export async function tree({ words, options, io }: Invocation<typeof treeFlags>): Promise<void> {
  // Old versions of a type warn, and all types are read.
  await withClient({ options, io, hideWarnings: true }, async (client) => {
    const targets = await readTargets({ client, options, io }, words);
    const named = targets.flatMap(({ resource, names }) => names.map((name) => ({ resource, name })));
    const [target] = named;
    if (!target || named.length > 1) throw new CliError('cl tree takes one object', { hint: 'cl tree TYPE NAME' });
    const source = await openSource({ client, options, io });
    const object = await readObject(source, target.resource, target.name, client.settings.namespace);
    const all = await readOwners(source, target.resource.namespaced ? client.settings.namespace : '');
    const uid = textAt(object, 'metadata.uid');
    const rows: (readonly string[])[] = [];
    const places = placesOf(uid, all);
    for (let at = 0; at < places.length; at += readAtATime) {
      const part = places.slice(at, at + readAtATime).map((place) => rowOf(source, place, uid));
      rows.push(...(await Promise.all(part)));
    }
    const table = [['NAMESPACE', 'NAME', 'STATE', 'AGE'], ...rows];
    io.stdout.write(formatRows(table, columnWidths(table)));
  });
}

async function readObject(
  { client, signal }: Source,
  resource: DiscoveredResource,
  name: string,
  namespace: string,
): Promise<JsonObject> {
  const options = { ...(resource.namespaced ? { namespace } : {}), signal };
  // The codec of the client returns JSON values.
  return (await client.resource(resource).get(name, options)) as JsonObject;
}

/** A longer state would make all lines as long. */
const longestState = 120;

async function rowOf(
  source: Source,
  { lines, label, object, note = 'gone' }: TreePlace,
  uid: string,
): Promise<readonly string[]> {
  if (!object) return ['', `${lines}${visibleText(label)}`, note, ''];
  const { resource, name, namespace } = object;
  const mark = object.uid === uid && lines !== '' ? ' *' : '';
  // It may be deleted meanwhile, or its reading be forbidden.
  const found = await readObject(source, resource, name, namespace).catch(() => {
    source.signal.throwIfAborted();
    return {};
  });
  const age = since(valueAt(found, 'metadata.creationTimestamp'), Date.now());
  const state = objectState(found);
  const shown = state.length > longestState ? `${state.slice(0, longestState)}...` : state;
  return [visibleText(namespace), `${lines}${visibleText(label)}${mark}`, visibleText(shown), visibleText(age)];
}

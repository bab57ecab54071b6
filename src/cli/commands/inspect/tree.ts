import type { Invocation } from '../../command.ts';
import type { treeFlags } from './flags.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { readTargets } from '../../targets.ts';
import { openSource, type Source } from './describe/parts/related.ts';
import { since, textAt, valueAt } from './describe/parts/values.ts';
import { objectState } from './tree/object-state.ts';
import { type OwnedObject, readOwners } from './tree/owner-graph.ts';

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
    const rows = await Promise.all(placesOf(uid, all).map((place) => rowOf(source, place, uid)));
    const table = [['NAMESPACE', 'NAME', 'STATE', 'AGE'], ...rows];
    io.stdout.write(formatRows(table, columnWidths(table)).replaceAll(/[^\P{Cc}\n]/gu, '\ufffd'));
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

/** An object, or an owner that is gone, at its place in the tree. */
interface TreePlace {
  readonly lines: string;
  readonly label: string;
  readonly object: OwnedObject | undefined;
}

/** The object below its topmost owners, with all its dependents below it, as lines of a tree. */
function placesOf(uid: string, all: readonly OwnedObject[]): TreePlace[] {
  const byUid = new Map(all.map((each) => [each.uid, each]));
  const dependents = new Map<string, OwnedObject[]>();
  for (const each of all) {
    for (const owner of each.owners) dependents.set(owner.uid, [...(dependents.get(owner.uid) ?? []), each]);
  }
  const above = ancestorsOf(uid, byUid);
  const below = (of: string): readonly string[] =>
    above.has(of) && of !== uid
      ? [...above].filter((each) => byUid.get(each)?.owners.some((owner) => owner.uid === of))
      : (dependents.get(of) ?? []).map((each) => each.uid);
  const roots = [...above].filter((each) => !byUid.get(each)?.owners.some((owner) => above.has(owner.uid)));
  const labels = new Map(
    all.flatMap(({ owners }) => owners).map((owner) => [owner.uid, `${owner.kind}/${owner.name}`]),
  );
  return roots.flatMap((root) => placesBelow(root, { below, byUid, labels, seen: new Set() }, ''));
}

interface Walk {
  readonly below: (uid: string) => readonly string[];
  readonly byUid: ReadonlyMap<string, OwnedObject>;
  /** The names of owners that are gone. */
  readonly labels: ReadonlyMap<string, string>;
  /** Objects of several owners are followed once, so that cycles end. */
  readonly seen: Set<string>;
}

/** The object and all its owners, owners of owners included. */
function ancestorsOf(uid: string, byUid: ReadonlyMap<string, OwnedObject>): ReadonlySet<string> {
  const found = new Set([uid]);
  for (const each of found) for (const owner of byUid.get(each)?.owners ?? []) found.add(owner.uid);
  return found;
}

function placesBelow(uid: string, walk: Walk, lines: string): TreePlace[] {
  const object = walk.byUid.get(uid);
  const label = object ? `${object.resource.kind}/${object.name}` : (walk.labels.get(uid) ?? uid);
  const isSeen = walk.seen.has(uid);
  walk.seen.add(uid);
  const children = isSeen ? [] : walk.below(uid).toSorted((one, other) => order(walk, one, other));
  const indent = lines.replace('├─', '│ ').replace('└─', '  ');
  return [
    { lines, label, object },
    ...children.flatMap((child, index) =>
      placesBelow(child, walk, `${indent}${index === children.length - 1 ? '└─' : '├─'}`),
    ),
  ];
}

function order({ byUid }: Walk, one: string, other: string): number {
  const key = (uid: string) => `${byUid.get(uid)?.resource.kind ?? ''}/${byUid.get(uid)?.name ?? ''}`;
  return key(one) < key(other) ? -1 : 1;
}

async function rowOf(source: Source, { lines, label, object }: TreePlace, uid: string): Promise<readonly string[]> {
  if (!object) return ['', `${lines}${label}`, 'gone', ''];
  const { resource, name, namespace } = object;
  const mark = object.uid === uid && lines !== '' ? ' *' : '';
  const found = await readObject(source, resource, name, namespace).catch(() => ({}));
  const age = since(valueAt(found, 'metadata.creationTimestamp'), Date.now());
  return [namespace, `${lines}${label}${mark}`, objectState(found), age];
}

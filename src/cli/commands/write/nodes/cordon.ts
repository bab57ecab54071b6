import type { Invocation } from '../../../command.ts';
import { isTrue, objectAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { DryRun } from '../../../write-flags.ts';
import type { cordonFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';

/** `cl cordon`: lets no more pods be scheduled to nodes. */
export function cordon(invocation: Invocation<typeof cordonFlags>): Promise<void> {
  return setSchedulable(invocation, true);
}

/** `cl uncordon`: lets pods be scheduled to nodes again. */
export function uncordon(invocation: Invocation<typeof cordonFlags>): Promise<void> {
  return setSchedulable(invocation, false);
}

async function setSchedulable(
  { words, options, io }: Invocation<typeof cordonFlags>,
  unschedulable: boolean,
): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const nodes = await selectNodes(session, words, options.selector);
    const change = (node: SelectedObject) => cordonNode(session, node, unschedulable, options.dryRun);
    await forEachObject(nodes, change, { io, done: unschedulable ? 'cordoned' : 'uncordoned' });
  });
}

/** The nodes of names (`a`, `node/a`) or of a selector. */
export async function selectNodes(
  session: Session,
  words: readonly string[],
  selector: string | undefined,
): Promise<SelectedObject[]> {
  if (words.length === 0 && !selector)
    throw new CliError('a node name or a selector is needed', { hint: 'NODE, or -l SELECTOR' });
  const names = words.map((word) => word.replace(/^(?:nodes?|no)\//, ''));
  return selectObjects(session, { words: ['nodes', ...names], filename: [], selector });
}

const suffixes = { none: '', client: ' (dry run)', server: ' (server dry run)' } as const;

/** Marks a node, and returns the line that says so. */
export async function cordonNode(
  session: Session,
  node: SelectedObject,
  unschedulable: boolean,
  dryRun: DryRun,
): Promise<string> {
  const before = await node.load();
  const done = unschedulable ? 'cordoned' : 'uncordoned';
  const name = `node/${visibleText(node.name)}`;
  if (isTrue(objectAt(before, 'spec'), 'unschedulable') === unschedulable) {
    return `${name} already ${done}${suffixes[dryRun]}\n`;
  }
  const patch = { spec: { unschedulable: unschedulable || null } };
  if (dryRun !== 'client') await patchObject(session, node, patch, { dryRun });
  return `${name} ${done}${suffixes[dryRun]}\n`;
}

import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { objectAt } from '../../../../meta/read-field.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { shortName } from '../../../objects/written-objects.ts';
import { objectPrinter } from '../../../printers/print-object.ts';
import type { historyFlags } from './flags.ts';
import { findRevision, plainTemplate, type Revision, revisionsOf } from './revisions.ts';
import { visibleText } from '../../../format-rows.ts';

/** `cl rollout history`: lists the revisions of a workload, or shows the template of one. */
export async function rolloutHistory({ words, options, io }: Invocation<typeof historyFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const print = options.output === undefined ? undefined : await objectPrinter(options, io);
    const show = async (selected: SelectedObject): Promise<string> => {
      const workload = await selected.load();
      const revisions = await revisionsOf(session, selected, workload);
      const name = shortName(workload);
      if (options.revision > 0) {
        const revision = findRevision(revisions, options.revision, selected.name);
        if (print) return print(revision.object);
        const { podTemplate } = await import('../../inspect/describe/parts/pod-template.ts');
        const object = { template: fullTemplate(revision) };
        const lines = podTemplate('template')(object, { nowMs: Date.now(), related: {} });
        return `${name} with revision #${revision.number}\n${lines.map((line) => `${cellsOf(line)}\n`).join('')}\n`;
      }
      if (print) return revisions.map(({ object }) => print(object)).join('');
      const rows = [
        ['REVISION', 'CHANGE-CAUSE'],
        ...revisions.map(({ number, cause }) => [String(number), visibleText(cause)]),
      ];
      return `${name} \n${columnsText(rows)}\n`;
    };
    await forEachObject(await selectObjects(session, { words, ...options }), show, { io, done: 'shown' });
  });
}

/** The template with the label that tells the replica sets of a deployment apart. */
function fullTemplate(revision: Revision): JsonObject {
  const { object } = revision;
  return object.kind === 'ReplicaSet' ? objectAt(object, 'spec', 'template') : plainTemplate(revision);
}

/** The cells of a line without control characters. */
function cellsOf(line: string): string {
  return line.split('\t').map(visibleText).join('\t');
}

/** Two spaces part the columns, as scripts of other clients expect. */
function columnsText(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `${first.padEnd(width)}  ${second}\n`).join('');
}

import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { isTrue, makeObjectAt, objectAt, sameValue, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { changeObjects, patchObject } from '../../../objects/change-objects.ts';
import { podTemplateOf } from '../../../objects/pod-template-of.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { createWrittenObjects, shortName } from '../../../objects/written-objects.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import type { rolloutFlags, undoFlags } from './flags.ts';
import { findRevision, plainTemplate, type Revision, revisionsOf } from './revisions.ts';

type RolloutInvocation = Invocation<typeof rolloutFlags>;

/** `cl rollout pause`: later changes of a deployment are not rolled out for now. */
export function pauseRollout(invocation: RolloutInvocation): Promise<void> {
  return setPaused(invocation, true);
}

/** `cl rollout resume`: rolls out what was changed in a pause. */
export function resumeRollout(invocation: RolloutInvocation): Promise<void> {
  return setPaused(invocation, false);
}

function setPaused({ words, options, io }: RolloutInvocation, paused: boolean): Promise<void> {
  const change = (object: JsonObject): void => {
    const { kind, name } = { kind: stringAt(object, 'kind'), name: stringAt(objectAt(object, 'metadata'), 'name') };
    if (kind !== 'Deployment') throw new CliError(`${kind} has no rollouts that can be paused`);
    const spec = objectAt(object, 'spec');
    if (isTrue(spec, 'paused') === paused) {
      throw new CliError(`deployments.apps "${name}" is ${paused ? 'already' : 'not'} paused`);
    }
    if (paused) spec.paused = true;
    else delete spec.paused;
  };
  const done = paused ? 'paused' : 'resumed';
  return changeObjects({ options, io }, { selection: { words, ...options }, options, change, done });
}

const restartedKinds: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'StatefulSet']);

/** `cl rollout restart`: replaces all pods of a workload. */
export async function restartRollout({ words, options, io }: RolloutInvocation): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const { commandLine, labelDomain } = await withClient({ options, io }, (client) =>
    serverIdentifiers({ client, options, io }),
  );
  const change = (object: JsonObject): void => {
    if (!restartedKinds.has(stringAt(object, 'kind'))) {
      throw new CliError(`${shortName(object)} cannot be restarted`, {
        hint: 'deployments, daemon sets and stateful sets can',
      });
    }
    if (isTrue(objectAt(object, 'spec'), 'paused')) {
      throw new CliError("can't restart paused deployment (run rollout resume first)");
    }
    const metadata = makeObjectAt(podTemplateOf(object), 'metadata');
    makeObjectAt(metadata, 'annotations')[`${commandLine}.${labelDomain}/restartedAt`] = now;
  };
  await changeObjects({ options, io }, { selection: { words, ...options }, options, change, done: 'restarted' });
}

/** `cl rollout undo`: goes back to the template of an earlier revision. */
export async function undoRollout({ words, options, io }: Invocation<typeof undoFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const printer = await createWrittenObjects(options, io);
    const undo = async (selected: SelectedObject): Promise<void> => {
      const workload = await selected.load();
      if (isTrue(objectAt(workload, 'spec'), 'paused')) {
        throw new CliError(
          'you cannot rollback a paused deployment; resume it first with cl rollout resume and try again',
        );
      }
      const revision = findRevision(await revisionsOf(session, selected, workload), options.toRevision, selected.name);
      const template = plainTemplate(revision);
      if (sameValue(template, objectAt(workload, 'spec', 'template'))) {
        printer.print(workload, `skipped rollback (current template already matches revision ${revision.number})`);
        return;
      }
      const isDry = options.dryRun === 'client';
      const after = isDry ? workload : await goBack(session, selected, revision, template, options.dryRun);
      printer.print(after, 'rolled back');
    };
    await forEachObject(await selectObjects(session, { words, ...options }), undo, { io, done: 'rolled back' });
  });
}

function goBack(
  session: Session,
  selected: SelectedObject,
  revision: Revision,
  template: JsonObject,
  dryRun: 'none' | 'server',
): Promise<JsonObject> {
  if (revision.object.kind === 'ControllerRevision') {
    // It is kept as the patch that restores it.
    return patchObject(session, selected, revision.object.data, { dryRun, type: 'strategic' });
  }
  const patch = [{ op: 'replace', path: '/spec/template', value: template }];
  return patchObject(session, selected, patch, { dryRun, type: 'json' });
}

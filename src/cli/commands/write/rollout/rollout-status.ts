import type { Invocation } from '../../../command.ts';
import { pause } from '../../../../async/timers.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, generationOf, nameOf } from '../../../../meta/object-meta.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import type { statusFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';

const pollMs = 200;

/** `cl rollout status`: says how far a rollout is, until it has ended. */
export async function rolloutStatus({ words, options, io }: Invocation<typeof statusFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const selected = await selectObjects(
      { client, options, io },
      { words, ...options, allIfUnnamed: !options.selector },
    );
    if (selected.length === 0) io.stderr.write(`No resources found in ${client.settings.namespace} namespace.\n`);
    const deadline = options.timeout > 0 ? Date.now() + options.timeout : Number.POSITIVE_INFINITY;
    const follow = async ({ load }: SelectedObject): Promise<void> => {
      for (let said = ''; ; ) {
        const object = await load();
        checkRevision(object, options.revision);
        const { text, isDone } = progressOf(object);
        if (text !== said) io.stdout.write(`${visibleText(text)}\n`);
        said = text;
        if (isDone || !options.watch) return;
        if (Date.now() > deadline) throw new CliError('timed out waiting for the condition');
        await pause(pollMs, io.signal);
      }
    };
    await forEachObject(selected, follow, { io, done: 'rolled out' });
  });
}

function checkRevision(object: JsonObject, revision: number): void {
  const [, found] = Object.entries(annotationsOf(object)).find(([key]) => /^deployment\..*\/revision$/.test(key)) ?? [];
  if (revision > 0 && found !== undefined && Number(found) !== revision) {
    throw new CliError(`desired revision (${revision}) is different from the running revision (${found})`);
  }
}

interface Progress {
  readonly text: string;
  readonly isDone: boolean;
}

const going = (text: string): Progress => ({ text, isDone: false });
const ended = (text: string): Progress => ({ text, isDone: true });

/** The state of a rollout in the words of kubectl, which scripts read. */
function progressOf(object: JsonObject): Progress {
  const progress = progressOfKind[stringAt(object, 'kind')];
  if (progress) return progress(object);
  throw new CliError(`no status viewer has been implemented for ${stringAt(object, 'kind')}`, {
    hint: 'name a deployment, daemonset or statefulset',
  });
}

const progressOfKind: Readonly<Record<string, (object: JsonObject) => Progress>> = {
  Deployment: deploymentProgress,
  DaemonSet: daemonSetProgress,
  StatefulSet: statefulSetProgress,
};

function count(object: JsonObject, part: 'spec' | 'status', field: string, initial = 0): number {
  return numberAt(objectAt(object, part), field) ?? initial;
}

function isObserved(object: JsonObject): boolean {
  return generationOf(object) <= count(object, 'status', 'observedGeneration');
}

function deploymentProgress(object: JsonObject): Progress {
  const name = nameOf(object);
  if (!isObserved(object)) return going('Waiting for deployment spec update to be observed...');
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  if (conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded')) {
    throw new CliError(`deployment "${name}" exceeded its progress deadline`);
  }
  const [wanted, updated] = [count(object, 'spec', 'replicas', 1), count(object, 'status', 'updatedReplicas')];
  const [all, available] = [count(object, 'status', 'replicas'), count(object, 'status', 'availableReplicas')];
  const waiting = `Waiting for deployment "${name}" rollout to finish:`;
  if (updated < wanted) return going(`${waiting} ${updated} out of ${wanted} new replicas have been updated...`);
  if (all > updated) return going(`${waiting} ${all - updated} old replicas are pending termination...`);
  if (available < updated) return going(`${waiting} ${available} of ${updated} updated replicas are available...`);
  return ended(`deployment "${name}" successfully rolled out`);
}

function needRollingUpdate(object: JsonObject): void {
  if (stringAt(objectAt(object, 'spec', 'updateStrategy'), 'type') === 'RollingUpdate') return;
  throw new CliError('rollout status is only available for RollingUpdate strategy type');
}

function daemonSetProgress(object: JsonObject): Progress {
  needRollingUpdate(object);
  if (!isObserved(object)) return going('Waiting for daemon set spec update to be observed...');
  const wanted = count(object, 'status', 'desiredNumberScheduled');
  const updated = count(object, 'status', 'updatedNumberScheduled');
  const available = count(object, 'status', 'numberAvailable');
  const waiting = `Waiting for daemon set "${nameOf(object)}" rollout to finish:`;
  if (updated < wanted) return going(`${waiting} ${updated} out of ${wanted} new pods have been updated...`);
  if (available < wanted) return going(`${waiting} ${available} of ${wanted} updated pods are available...`);
  return ended(`daemon set "${nameOf(object)}" successfully rolled out`);
}

function statefulSetProgress(object: JsonObject): Progress {
  needRollingUpdate(object);
  if (count(object, 'status', 'observedGeneration') === 0 || !isObserved(object)) {
    return going('Waiting for statefulset spec update to be observed...');
  }
  const [wanted, ready] = [count(object, 'spec', 'replicas', 1), count(object, 'status', 'readyReplicas')];
  if (ready < wanted) return going(`Waiting for ${wanted - ready} pods to be ready...`);
  const updated = count(object, 'status', 'updatedReplicas');
  const partition = numberAt(objectAt(object, 'spec', 'updateStrategy', 'rollingUpdate'), 'partition') ?? 0;
  if (partition > 0) {
    const part = wanted - partition;
    if (updated >= part) return ended(`partitioned roll out complete: ${updated} new pods have been updated...`);
    return going(`Waiting for partitioned roll out to finish: ${updated} out of ${part} new pods have been updated...`);
  }
  const status = objectAt(object, 'status');
  const [next, current] = [stringAt(status, 'updateRevision'), stringAt(status, 'currentRevision')];
  if (next !== current) {
    return going(`waiting for statefulset rolling update to complete ${updated} pods at revision ${next}...`);
  }
  const pods = count(object, 'status', 'currentReplicas');
  return ended(`statefulset rolling update complete ${pods} pods at revision ${current}...`);
}

import type { Invocation } from '../../../command.ts';
import { pause } from '../../../../async/timers.ts';
import { hasReason } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import {
  annotationsOf,
  deletionTimestampOf,
  metadataOf,
  nameOf,
  namespaceOf,
  uidOf,
} from '../../../../meta/object-meta.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import { findType, type Session } from '../../../find-type.ts';
import { forEachObject } from '../../../for-each-object.ts';
import { deleteSelected, type DeletedObject, waitUntilGone } from '../../../objects/delete-selected.ts';
import { labelMatcher, type SelectedObject, selectObjects } from '../../../objects/select-objects.ts';
import { cordonNode, selectNodes } from './cordon.ts';
import type { drainFlags } from './flags.ts';
import { visibleText } from '../../../format-rows.ts';

type DrainOptions = Invocation<typeof drainFlags>['options'];

/** `cl drain`: cordons nodes and evicts their pods, which disruption budgets may delay. */
export async function drain({ words, options, io }: Invocation<typeof drainFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    // A wrong selector is found before a node is cordoned.
    await labelMatcher(options.podSelector);
    const nodes = await selectNodes(session, words, options.selector);
    for (const node of nodes) io.stdout.write(await cordonNode(session, node, true, options.dryRun));
    await forEachObject(nodes, (node) => drainNode(session, node, options), { io, done: 'drained' });
  });
}

const suffixes = { none: '', client: ' (dry run)', server: ' (server dry run)' } as const;

async function drainNode(session: Session, node: SelectedObject, options: DrainOptions): Promise<string> {
  const { io } = session;
  const pods = await podsOf(session, node, options);
  const decided = pods.map((pod) => ({ pod, decision: drainDecision(pod.object, options) }));
  const refused = decided.filter(({ decision }) => decision.refusal !== undefined);
  if (refused.length > 0) {
    const list = refused.map(({ pod, decision }) => `${pod.namespace}/${visibleText(pod.name)} ${decision.refusal}`);
    throw new CliError(`unable to drain node "${node.name}": ${list.join('; ')}`, { hint: hintOf(refused) });
  }
  for (const { pod, decision } of decided) {
    if (decision.warning) io.stderr.write(`Warning: ${decision.warning}: ${pod.namespace}/${visibleText(pod.name)}\n`);
  }
  const leaving = decided.filter(({ decision }) => decision.isEvicted).map(({ pod }) => pod);
  if (options.dryRun === 'none') await evictAll(session, leaving, options);
  else for (const pod of leaving) io.stdout.write(evictingLine(pod, options));
  return `node/${visibleText(node.name)} drained${suffixes[options.dryRun]}\n`;
}

interface NodePod extends Omit<SelectedObject, 'load'> {
  readonly object: JsonObject;
}

async function podsOf(session: Session, node: SelectedObject, options: DrainOptions): Promise<NodePod[]> {
  const selected = await selectObjects(session, {
    words: ['pods'],
    filename: [],
    allNamespaces: true,
    selector: options.podSelector,
    fieldSelector: `spec.nodeName=${node.name}`,
  });
  return Promise.all(selected.map(async (pod) => ({ ...pod, object: await pod.load() })));
}

/** If a pod is evicted, or why it cannot be. */
interface DrainDecision {
  readonly isEvicted: boolean;
  readonly refusal?: string;
  readonly warning?: string;
  readonly flag?: string;
}

function drainDecision(pod: JsonObject, options: DrainOptions): DrainDecision {
  const mirror = Object.keys(annotationsOf(pod)).some((key) => key.endsWith('/config.mirror'));
  if (mirror) return { isEvicted: false };
  const owner = objectsAt(metadataOf(pod) ?? {}, 'ownerReferences').find((each) => isTrue(each, 'controller'));
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  const isDone = phase === 'Succeeded' || phase === 'Failed';
  if (owner?.kind === 'DaemonSet' && !isDone) {
    if (options.ignoreDaemonsets) return { isEvicted: false, warning: 'ignoring pods of DaemonSets' };
    return { isEvicted: false, refusal: 'belongs to a DaemonSet', flag: '--ignore-daemonsets' };
  }
  if (isEnding(pod, options)) return { isEvicted: false };
  const volumes = objectsAt(objectAt(pod, 'spec'), 'volumes');
  if (!isDone && volumes.some((volume) => isSet(volume, 'emptyDir')) && !options.deleteEmptydirData) {
    return { isEvicted: false, refusal: 'has files that end with it', flag: '--delete-emptydir-data' };
  }
  if (!owner && !isDone) {
    if (options.force) return { isEvicted: true, warning: 'deleting pods that declare no controller' };
    return { isEvicted: false, refusal: 'would not be created again', flag: '--force' };
  }
  return { isEvicted: true };
}

function isEnding(pod: JsonObject, { skipWaitForDeleteTimeout: seconds }: DrainOptions): boolean {
  const deleted = deletionTimestampOf(pod);
  return seconds > 0 && deleted !== '' && Date.now() - Date.parse(deleted) > seconds * 1000;
}

function hintOf(refused: readonly { readonly decision: DrainDecision }[]): string {
  return `allow it with ${[...new Set(refused.map(({ decision }) => decision.flag))].join(' and ')}`;
}

/** The pause after an eviction that a disruption budget forbids for now. */
const budgetPauseMs = 5000;

async function evictAll(session: Session, pods: readonly NodePod[], options: DrainOptions): Promise<void> {
  const deadline = options.timeout > 0 ? Date.now() + options.timeout : Number.POSITIVE_INFINITY;
  const gone = await Promise.all(pods.map((pod) => evict(session, pod, options, deadline)));
  const left = Number.isFinite(deadline) ? Math.max(deadline - Date.now(), 1) : 0;
  await waitUntilGone(session, gone, left);
  const done = options.disableEviction ? 'deleted' : 'evicted';
  for (const { name } of pods) session.io.stdout.write(`pod/${visibleText(name)} ${done}\n`);
}

function evictingLine({ object }: NodePod, { dryRun }: DrainOptions): string {
  return `evicting pod ${namespaceOf(object)}/${visibleText(nameOf(object))}${suffixes[dryRun]}\n`;
}

async function evict(session: Session, pod: NodePod, options: DrainOptions, deadline: number): Promise<DeletedObject> {
  const { client, io } = session;
  if (!options.disableEviction) io.stdout.write(evictingLine(pod, options));
  const deletion = {
    cascade: 'background',
    force: options.gracePeriod === 0,
    gracePeriod: options.gracePeriod,
    dryRun: options.dryRun,
  } as const;
  if (options.disableEviction) return deleteSelected(session, pod, deletion);
  const { group } = await findType(session, 'poddisruptionbudgets');
  const deleteOptions = options.gracePeriod < 0 ? {} : { deleteOptions: { gracePeriodSeconds: options.gracePeriod } };
  const metadata = { name: pod.name, namespace: pod.namespace ?? '' };
  const eviction = { apiVersion: `${group}/v1`, kind: 'Eviction', metadata, ...deleteOptions };
  for (;;) {
    try {
      await client
        .resource(pod.resource)
        .create(eviction, { subresource: 'eviction', namespace: metadata.namespace, signal: io.signal });
      return { ...pod, uid: uidOf(pod.object) };
    } catch (error) {
      if (hasReason(error, 'NotFound')) return { ...pod, uid: uidOf(pod.object) };
      if (!hasReason(error, 'TooManyRequests')) throw error;
      if (Date.now() + budgetPauseMs > deadline) {
        throw new CliError(`drain did not complete within ${options.timeout / 1000}s: ${(error as Error).message}`);
      }
      io.stderr.write(
        `error when evicting pods/"${visibleText(pod.name)}" (will retry after 5s): ${(error as Error).message}\n`,
      );
      await pause(budgetPauseMs, io.signal);
    }
  }
}

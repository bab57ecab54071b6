import type { GenericObject } from '../../../client/api-object.ts';
import { pods } from '../../pod-resource.ts';
import type * as corev1 from '../../../gen/types/core-v1.ts';
import { isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { labelSelectorText } from '../../../meta/object-label-selector.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { findType, type Session } from '../../find-type.ts';
import { defaultContainer } from './default-container.ts';

/** An object as words name it: its pods are those that it selects, or itself. */
interface PodOwner {
  /** The owner through which the pod was found; undefined if the pod itself was named. */
  readonly owner: { readonly object: GenericObject; readonly isService: boolean } | undefined;
  readonly name: string;
  /** The labels of the pods of an owner. */
  readonly selector: string;
}

/** Reads `POD` or `TYPE/NAME`, and finds the object that selects pods. */
export async function findOwner(session: Session, word: string): Promise<PodOwner> {
  const [first = '', second, ...rest] = word.split('/');
  if (rest.length > 0 || second === '') throw new CliError(`"${word}" is not of the form type/name`);
  if (second === undefined) return { owner: undefined, name: first, selector: '' };
  const isPod = ['pod', 'pods', 'po'].includes(first.toLowerCase());
  if (isPod) return { owner: undefined, name: second, selector: '' };
  const type = await findType(session, first);
  if (type.group === '' && type.resource === 'pods') return { owner: undefined, name: second, selector: '' };
  const object = await session.client.resource(type).get(second, { signal: session.io.signal });
  const isService = type.group === '' && type.resource === 'services';
  return { owner: { object, isService }, name: second, selector: selectorOf(object, word) };
}

/** The labels of the pods of an object: a LabelSelector, or a map of labels as of a Service. */
function selectorOf(object: GenericObject, word: string): string {
  // The client returns JSON.
  const selector = objectAt(object as JsonObject, 'spec', 'selector');
  const isForm = isJsonObject(selector['matchLabels']) || Array.isArray(selector['matchExpressions']);
  const text = labelSelectorText(isForm ? selector : { matchLabels: selector });
  if (text === '') throw new CliError(`${word} selects no pods`, { hint: 'name a pod' });
  return text;
}

/** Lists the pods with labels, the ones that are ready first, then the oldest. */
export async function podsWith({ client, io }: Session, selector: string): Promise<corev1.Pod[]> {
  const found: corev1.Pod[] = [];
  const options = { namespace: client.settings.namespace, labelSelector: selector, signal: io.signal };
  for await (const page of client.resource(pods).pages(options)) found.push(...page.items);
  return found.toSorted((one, other) => rankOf(other) - rankOf(one) || createdAt(one).localeCompare(createdAt(other)));
}

function rankOf({ metadata, status, spec }: corev1.Pod): number {
  const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  const flags = [spec?.nodeName, status?.phase === 'Running', isReady, !metadata?.deletionTimestamp];
  return flags.filter(Boolean).length;
}

function createdAt({ metadata }: corev1.Pod): string {
  return metadata?.creationTimestamp ?? '';
}

/** The pod that words name; waits for the first pod of another object up to a time. */
export async function findPod(session: Session, word: string, timeoutMs: number): Promise<corev1.Pod> {
  const owner = await findOwner(session, word);
  return podOf(session, owner, timeoutMs);
}

/** The pod itself, or the best one of an owner, for which it waits up to a time. */
export async function podOf(session: Session, { owner, name, selector }: PodOwner, timeoutMs: number) {
  const { client, io } = session;
  if (!owner) return client.resource(pods).get(name, { signal: io.signal });
  const [first] = await podsWith(session, selector);
  return first ?? firstCreated(session, selector, timeoutMs);
}

async function firstCreated({ client, io }: Session, labelSelector: string, timeoutMs: number): Promise<corev1.Pod> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]);
  const { namespace } = client.settings;
  for await (const { type, object } of client.resource(pods).watch({ namespace, labelSelector, signal })) {
    if (type === 'ADDED' || type === 'MODIFIED') return object;
  }
  io.signal.throwIfAborted();
  throw new CliError(`no pod with the labels ${labelSelector} was created in time`, {
    hint: 'wait longer with --pod-running-timeout',
  });
}

/** A container of a pod, of any kind. */
export type PodContainer = corev1.Container | corev1.EphemeralContainer;

/** All containers of a pod in the order in which they start. */
export function containersOf({ spec }: corev1.Pod): readonly PodContainer[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/**
 * The container with a name, or else the one that the pod names or its first one, which is reported
 * if there are several, unless `quiet`.
 */
export function chooseContainer(
  pod: corev1.Pod,
  name: string | undefined,
  { io, quiet = false }: { readonly io: CliIo; readonly quiet?: boolean },
): PodContainer {
  const all = containersOf(pod);
  const podName = pod.metadata?.name ?? '';
  const wanted = name ?? defaultContainer(pod.metadata?.annotations);
  const found = all.find((container) => container.name === wanted);
  if (found) return found;
  if (name !== undefined) {
    throw new CliError(`container ${name} not found in pod ${podName}`, { hint: `it has: ${namesOf(pod)}` });
  }
  const [first] = pod.spec?.containers ?? [];
  if (!first) throw new CliError(`pod ${podName} has no containers`);
  if (all.length > 1 && !quiet) io.stderr.write(`Defaulted container "${first.name}" out of: ${namesOf(pod)}\n`);
  return first;
}

function namesOf({ spec }: corev1.Pod): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return [
    ...containers.map(({ name }) => name),
    ...ephemeralContainers.map(({ name }) => `${name} (ephem)`),
    ...initContainers.map(({ name }) => `${name} (init)`),
  ].join(', ');
}

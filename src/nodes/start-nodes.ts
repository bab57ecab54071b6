import { createClient, type Client } from '../client/client.ts';
import { createInformerFactory, type InformerFactory } from '../client/informers/informer-factory.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import { keepNode, type NodeWakes, registerNode } from './agent/keep-node.ts';
import { serverMinor } from '../controllers/server-minor.ts';
import { nodes, type Node, type Pod, pods } from '../controllers/resources.ts';
import { nodeIdentities, type NodeIdentity } from './agent/node-object.ts';
import { knownOutcomes, type NodeGroup } from './agent/node-groups.ts';
import type { AgentServer } from './agent-server/start-agent-server.ts';
import { publishDevices } from './devices/publish-devices.ts';
import { reportUse } from './metrics/report-use.ts';
import { runNodeStages } from './agent/run-node-stages.ts';
import { runPods } from './agent/run-pods.ts';
import { defineStages } from './stages/stage-definition.ts';
import { followStages } from './stages/follow-stages.ts';
import { stagesOf } from './stages/stage.ts';
import { createStageRunner } from './stages/stage-runner.ts';
import { runScheduler } from './scheduler/run-scheduler.ts';
import { createEventRecorder } from '../client/events/event-recorder.ts';
import type { Informer } from '../client/informers/informer.ts';
import { annotationProblems } from './agent/annotation-problems.ts';

/** The server and the nodes. */
export interface StartNodesOptions {
  readonly settings: ConnectionSettings;
  readonly identifiers: Identifiers;
  readonly groups: readonly NodeGroup[];
  /**
   * The time without a sign of life after which the controllers count a node as lost. The default
   * is theirs, 40 seconds.
   */
  readonly monitorGraceMs?: number;
  /** Informers that others in this process read too; their own by default. */
  readonly informers?: InformerFactory;
  /** The agent that serves the pods of the nodes; without one they have no logs. */
  readonly agent?: AgentServer;
  /** The addresses, `127.0.0.1:3000`, to which annotations of pods may forward ports. */
  readonly portTargets?: readonly string[];
  /** Called with errors that are recovered from. */
  readonly onError?: (error: unknown) => void;
}

const defaultGraceMs = 40_000;

/** Nodes that are registered at the same time. */
const registrations = 32;

/**
 * Registers the stand-in nodes of groups and runs their agents and a scheduler in this
 * process until the signal aborts: pods are bound and become Running, although nothing is run.
 * Nothing runs without nodes. Resolves when the nodes are ready, with a promise of the end.
 */
export async function startNodes(
  options: StartNodesOptions,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const { settings, identifiers, groups, monitorGraceMs = defaultGraceMs, onError = () => {} } = options;
  const identities = nodeIdentities(groups);
  if (identities.length === 0) return { ended: Promise.resolve() };
  const client = createClient(settings, { userAgent: 'stand-in-nodes' });
  const report = (error: unknown): void => {
    if (!signal.aborted) onError(error);
  };
  const { informers = createInformerFactory(client, { signal, onError: report }) } = options;
  const names = new Set(identities.map(({ name }) => name));
  const agentPort = options.agent?.port;
  const release = await serverMinor(client, signal);
  const shared = { client, informers, identifiers, monitorGraceMs, agentPort, release, onError: report };
  const events = createEventRecorder(client, { component: 'stand-in-node', signal, onError: report });
  // Events about pods are recorded in the name of the node agent.
  const agentEvents = createEventRecorder(client, { component: identifiers.nodeAgent, signal, onError: report });
  const { portTargets = [] } = options;
  options.agent?.serve({ pods: informers.informer(pods), identifiers, events, portTargets });
  const [hasStages] = await Promise.all([
    definesStages(shared, signal),
    registerAll(identities, (identity) => registerNode({ ...shared, ...identity }, signal)),
  ]);
  const informer = informers.informer(nodes);
  const wakes: NodeWakes = new Map();
  informer.subscribe({ update: ({ metadata }) => wakes.get(metadata.name)?.() }, signal);
  const given = new Map(identities.map(({ name, group }) => [name, group.stages ?? []]));
  const stageInformers = hasStages ? informers : undefined;
  const followed = followStages(
    { ...shared, events, informers: stageInformers, given, outcomes: knownOutcomes },
    signal,
  );
  const stageResource = hasStages ? stagesOf(identifiers) : undefined;
  const addresses = new Map(identities.map(({ name, address }) => [name, address]));
  const staged = {
    ...shared,
    events: agentEvents,
    addresses,
    stageResource,
    stages: createStageRunner({ ...shared, events: agentEvents, stages: followed }),
  };
  const runs = [
    ...identities.map((identity) => keepNode({ ...shared, ...identity, informer, wakes }, signal)),
    runPods(staged, signal),
    runNodeStages(staged, signal),
    runScheduler(shared, signal),
    reportUse({ ...shared, names }, signal),
    publishDevices({ ...shared, names }, signal),
  ];
  reportAnnotations({ ...shared, names }, signal);
  return { ended: Promise.all(runs.map((run) => untilStopped(run, signal))).then(() => client.close()) };
}

/** Resolves when a run ends. One that has just begun rejects with the reason of the abort. */
async function untilStopped(run: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await run;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Defines the kind Stage; false if the server does not have it, which is reported. */
async function definesStages(
  { client, identifiers, onError }: Pick<ReportOptions, 'client' | 'identifiers' | 'onError'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await defineStages(client, identifiers, signal);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    onError(new Error(`stages of the API are not followed: ${why}`, { cause: error }));
    return false;
  }
}

async function registerAll(
  identities: readonly NodeIdentity[],
  register: (identity: NodeIdentity) => Promise<void>,
): Promise<void> {
  const waiting = identities.values();
  const worker = async (): Promise<void> => {
    for (const identity of waiting) await register(identity);
  };
  await Promise.all(Array.from({ length: registrations }, worker));
}

/** The nodes whose annotations, and whose pods' annotations, are read. */
interface ReportOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly names: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
}

/**
 * Records an Event on each pod and node whose annotations ask stand-in nodes for something that
 * they do not know, until the signal aborts. A mistake would otherwise look like a pod that runs.
 */
function reportAnnotations(options: ReportOptions, signal: AbortSignal): void {
  const { client, informers, identifiers, names, onError } = options;
  const events = createEventRecorder(client, { component: 'stand-in-node', signal, onError });

  function follow<T extends Pod | Node>(informer: Informer<T>, kind: 'Pod' | 'Node', concerns: (object: T) => boolean) {
    /** The reported problems as text, by the uids of objects. */
    const reported = new Map<string, string>();
    const check = (object: T): void => {
      if (!concerns(object)) return;
      const { uid, annotations } = object.metadata;
      const problems = annotationProblems(kind, annotations, identifiers);
      const text = problems.join('\n');
      if (text === (reported.get(uid) ?? '')) return;
      reported.set(uid, text);
      const about = { apiVersion: 'v1', kind, metadata: object.metadata };
      for (const message of problems) events.record(about, { type: 'Warning', reason: 'UnknownAnnotation', message });
    };
    informer.subscribe({ add: check, update: check, delete: ({ metadata }) => reported.delete(metadata.uid) }, signal);
  }

  follow(informers.informer(pods), 'Pod', ({ spec }) => names.has(spec.nodeName ?? ''));
  follow(informers.informer(nodes), 'Node', ({ metadata }) => names.has(metadata.name));
}

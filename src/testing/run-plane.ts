import { createClient } from '../client/client.ts';
import { createInformerFactory } from '../client/informers/informer-factory.ts';
import type { ControllerOptions } from '../controllers/options/controller-flags.ts';
import { knownControllers } from '../controllers/manager/known-controllers.ts';
import { readControllerFiles } from '../controllers/manager/read-controller-files.ts';
import { selectControllers } from '../controllers/manager/select-controllers.ts';
import { serviceAccountController } from '../controllers/serviceaccount/definition.ts';
import { startControllers } from '../controllers/manager/start-controllers.ts';
import { type IdentifierSet, identifiersOf } from '../identifiers/identifiers.ts';
import type { NodeGroup } from '../nodes/agent/node-groups.ts';
import type { AgentServer } from '../nodes/agent-server/start-agent-server.ts';
import { startNodes } from '../nodes/start-nodes.ts';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';

/** The controllers of a test server: those that are on by default, none, or a selection. */
type ControllerSelection = boolean | readonly string[];

/** The programs that run beside a test server, in its process. */
interface Plane {
  readonly controllers: ControllerSelection;
  /** The options of the controllers. */
  readonly options: Partial<ControllerOptions>;
  /** The stand-in nodes, for which there is a scheduler too. */
  readonly nodes: readonly NodeGroup[];
  /** The addresses to which ports of pods may be forwarded. */
  readonly portTargets: readonly string[];
  /** The agent of the stand-in nodes. */
  readonly agent: AgentServer | undefined;
}

/** True if the controllers create the service accounts that Pods need. */
export function createsDefaultAccounts(controllers: ControllerSelection): boolean {
  const selected = selectControllers(knownControllers, entriesOf(controllers));
  return selected.includes(serviceAccountController);
}

/**
 * Runs controllers and nodes in this process, which share their informers. Resolves when the
 * controllers have seen the objects of the server and the nodes are ready, with a function that
 * stops all.
 */
export async function runPlane(
  { controllers, options, nodes, portTargets, agent }: Plane,
  settings: ConnectionSettings,
  set: IdentifierSet,
): Promise<() => Promise<void>> {
  const entries = entriesOf(controllers);
  if (entries.length === 0 && nodes.length === 0) return () => Promise.resolve();
  const files = await readControllerFiles(options);
  const stop = new AbortController();
  const { signal } = stop;
  const identifiers = identifiersOf(set);
  const client = createClient(settings, { userAgent: 'informers' });
  const shared = { settings, identifiers, informers: createInformerFactory(client, { signal }) };
  const running = startControllers({ ...shared, ...files, options: { ...options, controllers: entries } }, signal);
  const monitorGraceMs = options['node-monitor-grace-period'];
  const standIns = startNodes(
    {
      ...shared,
      groups: nodes,
      portTargets,
      ...(agent ? { agent } : {}),
      ...(monitorGraceMs ? { monitorGraceMs } : {}),
    },
    signal,
  );
  const stopAll = async (): Promise<void> => {
    stop.abort();
    const { ended } = await standIns;
    await Promise.all([running.ended, ended]);
    await client.close();
  };
  try {
    await Promise.all([running.synced(), standIns]);
  } catch (error) {
    await stopAll().catch(() => undefined);
    throw error;
  }
  return stopAll;
}

/** The entries of `--controllers`. */
function entriesOf(controllers: ControllerSelection): readonly string[] {
  return typeof controllers === 'boolean' ? (controllers ? ['*'] : []) : controllers;
}

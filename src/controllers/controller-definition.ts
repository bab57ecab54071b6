import type { ApiObject, GenericObject } from '../client/api-object.ts';
import type { Client } from '../client/client.ts';
import type { Controller, ControllerOptions as LoopOptions } from '../client/controllers/controller.ts';
import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { InformerFactory } from '../client/informers/informer-factory.ts';
import type { QueueMetrics } from '../client/queue/queue-metrics.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { DiscoveryWatch } from './discovery-watch.ts';
import type { ControllerOptions } from './options/controller-flags.ts';

/** A controller that the controller manager can run. */
export interface ControllerDefinition {
  /** The name in `--controllers`, as in kube-controller-manager 1.28 and later. */
  readonly name: string;
  /** The name in earlier releases, which `--controllers` accepts too. */
  readonly alias: string;
  /**
   * The service account of the controller, which has the default role
   * `system:controller:<account>`. `{prefix}` in its name is the prefix of the product. A
   * controller without one acts as the manager.
   */
  readonly account?: string;
  /** The source of its Events, as in kube-controller-manager; by default its name. */
  readonly component?: string;
  /** False: it runs only if `--controllers` names it. The default is true. */
  readonly onByDefault?: boolean;
  /**
   * Runs until the signal aborts, then ends soon. If it throws, it is run again after a delay.
   */
  run(context: ControllerContext, signal: AbortSignal): Promise<void>;
}

/** The dependencies of a controller. */
export interface ControllerContext {
  /** Writes, and reads that informers cannot serve. It acts as the account of the controller. */
  readonly client: Client;
  /** Reads, shared by all controllers of the process. */
  readonly informers: InformerFactory;
  /** Detects kinds that the server begins to serve; shared by all controllers of the process. */
  readonly discovery: DiscoveryWatch;
  readonly identifiers: Identifiers;
  readonly options: ControllerOptions;
  /** PEM of the CA that clients in the cluster verify the server with. */
  readonly rootCa: string | undefined;
  /** PEM of the private key that signs the tokens in Secrets of service accounts. */
  readonly serviceAccountKey: string | undefined;
  /** Records Events in the name of the controller. */
  readonly events: EventRecorder;
  readonly metrics: QueueMetrics;
  /** The time by which agents of nodes are late, in milliseconds since 1970. */
  readonly now: () => number;
  /** Reports an error that the controller recovers from. */
  readonly onError: (error: unknown) => void;
  /** Creates a control loop over the shared informers, with these metrics and `onError`. */
  readonly controller: <T extends ApiObject = GenericObject>(
    options: Omit<LoopOptions<T>, 'informers' | 'metrics'>,
  ) => Controller<T>;
}

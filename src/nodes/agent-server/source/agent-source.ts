import type { EventRecorder } from '../../../client/events/event-recorder.ts';
import type { Informer } from '../../../client/informers/informer.ts';
import type { Pod } from '../../../controllers/resources.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { PodFiles } from '../files/pod-files.ts';
import type { PodChanges } from './pod-changes.ts';

/** The pods that the agent of stand-in nodes serves, and the limits of its owner. */
export interface AgentSource {
  readonly pods: Informer<Pod>;
  /** The changes of single pods. */
  readonly changes: PodChanges;
  readonly identifiers: Identifiers;
  /** Records refusals. */
  readonly events: EventRecorder;
  /**
   * The addresses, `127.0.0.1:3000`, to which annotations may forward ports. Writers of pods choose
   * the annotations, so that only the owner of the process can open a way into its machine.
   */
  readonly portTargets: readonly string[];
  /** The files that programs have written. */
  readonly files: PodFiles;
}

import type { Client } from '../../client/client.ts';
import { createEventRecorder } from '../../client/events/event-recorder.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { annotationProblems } from './annotation-problems.ts';

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
export function reportAnnotations(options: ReportOptions, signal: AbortSignal): void {
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

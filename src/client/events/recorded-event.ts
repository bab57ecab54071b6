import type { ApiObject, ObjectMetadata } from '../api-object.ts';

/** A reference to an object, as in the field `involvedObject` of an Event. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** A core Event as the recorder writes it. */
export interface RecordedEvent extends ApiObject {
  metadata: ObjectMetadata & { name: string; namespace: string };
  involvedObject: ObjectReference;
  type: string;
  reason: string;
  message: string;
  action?: string;
  related?: ObjectReference;
  source: { component: string; host?: string };
  reportingComponent: string;
  reportingInstance: string;
  firstTimestamp: string;
  lastTimestamp: string;
  count?: number;
}

/** The reference to an object. Throws TypeError for one without a kind or a name. */
export function referenceTo({ apiVersion, kind, metadata }: ApiObject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  if (!apiVersion || !kind || !name) throw new TypeError('an Event needs an object with apiVersion, kind and name');
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}

/** The longest name of an object. */
const nameLimit = 253;

/** Creates the Event of the first occurrence. Events of cluster objects are in `default`. */
export function newEvent(
  subject: ObjectReference,
  description: Pick<RecordedEvent, 'type' | 'reason' | 'message' | 'action' | 'related'>,
  source: RecordedEvent['source'],
): RecordedEvent {
  const suffix = `.${uniqueTime()}`;
  const name = `${subject.name.slice(0, nameLimit - suffix.length)}${suffix}`;
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: subject.namespace || 'default' },
    involvedObject: subject,
    ...description,
    source,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}

/** The time in nanoseconds, as in the names of client-go's Events; its last digits are random. */
function uniqueTime(): string {
  return (BigInt(Date.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1_000_000))).toString(16);
}

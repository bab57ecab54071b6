import type { ApiObject, ObjectMetadata } from '../api-object.ts';
import type { ResourceReference } from '../resource-path.ts';

/** A reference to an object, as in the field `involvedObject` of an Event. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** An occurrence, as it is written. */
export interface Occurrence {
  readonly subject: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly action?: string | undefined;
  readonly related?: ObjectReference | undefined;
}

/** The program that reports, and its host. */
interface EventSource {
  readonly component: string;
  readonly host?: string | undefined;
  /** True for an Event that combines others with different messages. */
  readonly isCombined?: boolean;
}

/** An Event as a recorder writes it; its fields are the fields of its version. */
export interface RecordedEvent extends ApiObject {
  metadata: ObjectMetadata & { name: string; namespace: string };
  [field: string]: unknown;
}

/** A version of the API in which Events are written. */
export interface EventForm {
  readonly resource: ResourceReference<RecordedEvent>;
  /** True if occurrences with different messages are counted in one Event. */
  readonly countsReasons: boolean;
  /** Creates the Event of a first occurrence. Events of cluster objects are in `default`. */
  newEvent(occurrence: Occurrence, source: EventSource): RecordedEvent;
  /** The fields that change in a written Event with another occurrence. */
  countedIn(written: RecordedEvent, event: RecordedEvent): object;
}

/** The reference to an object. Throws TypeError for one without a kind or a name. */
export function referenceTo({ apiVersion, kind, metadata }: ApiObject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  if (!apiVersion || !kind || !name) throw new TypeError('an Event needs an object with apiVersion, kind and name');
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}

/** The longest name of an object. */
const nameLimit = 253;

/** The name and the namespace of a new Event. */
export function newEventMetadata(subject: ObjectReference): RecordedEvent['metadata'] {
  const suffix = `.${uniqueTime()}`;
  const name = `${subject.name.slice(0, nameLimit - suffix.length)}${suffix}`;
  return { name, namespace: subject.namespace || 'default' };
}

/** The time in nanoseconds, as in the names of client-go's Events; its last digits are random. */
function uniqueTime(): string {
  return (BigInt(Date.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1_000_000))).toString(16);
}

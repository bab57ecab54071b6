import type { MaybePromise } from '../async/maybe-promise.ts';
import { within } from '../async/timers.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../meta/json-value.ts';
import { objectAt, stringAt, objectsAt } from '../meta/read-field.ts';
import type { UserInfo } from '../meta/user-info.ts';
import { encodeJson } from '../codec/encode-json.ts';
import {
  type AuditEvent,
  type ObjectReference,
  type ResponseStatus,
  type AuditStage,
  microsAt,
} from './audit-event.ts';
import type { Auditor } from './auditor.ts';
import type { AuditDecision, AuditedTarget } from './policy.ts';
import { decodeJson } from '../codec/decode-json.ts';

/** A request. Its fields are read when an event is made: an event shows the facts known then. */
interface AuditedRequest {
  readonly auditId: string;
  readonly verb: string;
  readonly user: UserInfo;
  /** The authenticated user if `user` is impersonated. */
  readonly impersonator: UserInfo | undefined;
  /**
   * The constrained verb that allowed the impersonation, `impersonate:user-info`; '' without one.
   */
  readonly impersonationConstraint: string;
  readonly path: { readonly decoded: string };
  /** The time of its arrival, as of `performance.now()`. */
  readonly openedMs: number;
  readonly annotations: ReadonlyMap<string, string>;
  /** Annotations for level Request and above. */
  readonly requestAnnotations: ReadonlyMap<string, string>;
  annotate(name: string, value: string): void;
}

interface VersionedTarget extends AuditedTarget {
  readonly version: string;
}

/** The facts about a request that do not change. */
interface AuditSettings {
  readonly auditor: Auditor;
  /** The object or collection of the request; undefined for non-resource requests. */
  readonly target: VersionedTarget | undefined;
  /** True for watches and connections, which have events at the start of their response too. */
  readonly isLongRunning: boolean;
  /** Returns the sender; called if the request is recorded. */
  readonly sender: () => RequestSender;
  /** The name of the annotation of events that lack an object. */
  readonly truncated: string;
}

/** The parts of an event that tell where a request comes from. */
interface RequestSender {
  readonly requestUri: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
}

/**
 * A slow backend delays a request and its response by at most this each. Its events are then
 * written late or are lost; a strict one has the request refused.
 */
const longestWaitMs = 10_000;

/** Longer JSON of an object is not recorded: it would be several times in memory. */
const longestObjectChars = 10 * 1024 * 1024;

/** The status of a request whose client disconnected before it got a response. */
const closedEarly: ResponseStatus = { status: 'Success', message: 'Connection closed early', code: 200 };

/** Records the events of one request. */
export class RequestAudit {
  readonly #request: AuditedRequest;
  readonly #settings: AuditSettings;
  #decision: AuditDecision | undefined;
  /** The authenticated user. */
  #user: UserInfo | undefined;
  #sender: RequestSender | undefined;
  /** The time of the arrival, in microseconds since 1970, the same in all events. */
  #receivedMicros: number | undefined;
  #reference: ObjectReference | undefined;
  #status: ResponseStatus | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #lastStage: AuditStage = 'ResponseComplete';
  /** True if the request was refused before its user was known. */
  #isRefused = false;
  #hasStarted = false;
  #isComplete = false;
  #completing: Promise<unknown> | undefined;

  constructor(request: AuditedRequest, settings: AuditSettings) {
    this.#request = request;
    this.#settings = settings;
  }

  /** True if the objects of requests are recorded. */
  get keepsRequest(): boolean {
    const level = this.#decision?.level;
    return level === 'Request' || level === 'RequestResponse';
  }

  /** True if the objects of responses are recorded. */
  get keepsResponse(): boolean {
    return this.#decision?.level === 'RequestResponse';
  }

  /**
   * Decides whether an authenticated request is recorded. Must be called once, before all methods
   * except the methods of the response.
   */
  decide(): boolean {
    return this.#decideFor(this.#request.user).level !== 'None';
  }

  /** Records the arrival. False, or a promise of it: the request must be refused. */
  received(): MaybePromise<boolean> {
    const isTaken = this.#send('RequestReceived', this.#request.openedMs);
    const isServed = !this.#settings.auditor.isStrict;
    return isTaken instanceof Promise ? within(isTaken, longestWaitMs, isServed) : isTaken;
  }

  /** Counts the request as refused because its arrival could not be recorded; it has no end. */
  rejected(): void {
    this.#isComplete = true;
    this.#settings.auditor.rejected();
  }

  /** Completes the reference to the object by the metadata of the request's object. */
  named(object: JsonObject): void {
    const reference = this.#referenceNow();
    if (!reference) return;
    const metadata = objectAt(object, 'metadata');
    const orSent = (known: string, field: string): string => known || stringAt(metadata, field);
    this.#reference = {
      ...reference,
      namespace: orSent(reference.namespace, 'namespace'),
      name: orSent(reference.name, 'name'),
      uid: orSent(reference.uid, 'uid'),
      resourceVersion: orSent(reference.resourceVersion, 'resourceVersion'),
    };
  }

  /** Keeps the object of the request, if the level asks for it. Later calls have no effect. */
  requestObject(object: () => JsonValue): void {
    if (this.keepsRequest) this.#requestObject ??= this.#recorded(encodeJson(object()));
  }

  /** Keeps the JSON of the response's object, if the level asks for it. */
  responseObject(json: () => Buffer | string): void {
    if (this.keepsResponse) this.#responseObject ??= this.#recorded(json().toString().trimEnd());
  }

  /** Notes that an object of the response is not kept because it is too large. */
  omittedObject(): void {
    if (this.keepsResponse) this.#request.annotate(this.#settings.truncated, 'true');
  }

  /** Notes the Status of the response. Messages are not recorded: they may quote objects. */
  answered(status: ResponseStatus): void {
    if (this.#lastStage !== 'Panic') this.#status = status;
    if (this.#decision) return;
    this.#isRefused = true;
    this.#decideFor(undefined);
  }

  /** Notes that the handler of the request failed unexpectedly. */
  panicked(): void {
    this.#lastStage = 'Panic';
    this.#status = {
      status: 'Failure',
      message: "APIServer panic'd: the error is in the server's log",
      reason: 'InternalError',
      code: 500,
    };
  }

  /** Records that the response of a long-running request begins. */
  started(code: number): void {
    if (this.#hasStarted || !this.#settings.isLongRunning) return;
    this.#hasStarted = true;
    this.#status ??= { code };
    void this.#send('ResponseStarted', performance.now());
  }

  /**
   * Records the end of the request. To be called before the last bytes of the response are sent; a
   * promise delays them. Later calls record nothing.
   */
  responding(code: number): Promise<unknown> | undefined {
    if (this.#isComplete) return this.#completing;
    this.#isComplete = true;
    this.#status ??= { code };
    // A request that is refused before its user is known has one event only, as in kube-apiserver.
    const isTaken = this.#isRefused ? this.#send('ResponseStarted', performance.now()) : this.#complete(code);
    if (isTaken instanceof Promise) this.#completing = within(isTaken, longestWaitMs, true);
    return this.#completing;
  }

  /** Records the end of a request whose response was not recorded. Status 0: there was none. */
  ended(code: number): void {
    if (code === 0) this.#status ??= closedEarly;
    void this.responding(code);
  }

  /** Writes the events that must be written before a response is sent. */
  flush(): void {
    this.#settings.auditor.flush();
  }

  #complete(code: number): MaybePromise<boolean> {
    this.started(code);
    return this.#send(this.#lastStage, performance.now());
  }

  #decideFor(user: UserInfo | undefined): AuditDecision {
    const { verb, path } = this.#request;
    const { auditor, target } = this.#settings;
    this.#decision = auditor.decide({ user, verb, target, path: path.decoded });
    this.#user = user;
    return this.#decision;
  }

  #send(stage: AuditStage, atMs: number): MaybePromise<boolean> {
    const decision = this.#decision;
    if (!decision || decision.level === 'None' || decision.omitStages.has(stage)) return true;
    return this.#settings.auditor.send(this.#eventAt(stage, atMs, decision));
  }

  #eventAt(stage: AuditStage, atMs: number, { level }: AuditDecision): AuditEvent {
    const { auditId, verb, user, impersonator, impersonationConstraint, openedMs } = this.#request;
    const { requestUri, sourceIps, userAgent } = (this.#sender ??= this.#settings.sender());
    const receivedMicros = (this.#receivedMicros ??= microsAt(openedMs));
    return {
      level,
      auditId,
      stage,
      requestUri,
      verb,
      user: this.#user,
      impersonatedUser: impersonator ? user : undefined,
      impersonationConstraint,
      sourceIps,
      userAgent,
      objectRef: this.#referenceNow(),
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedMicros,
      stageMicros: receivedMicros + Math.round((atMs - openedMs) * 1000),
      annotations: this.#annotations(),
    };
  }

  #referenceNow(): ObjectReference | undefined {
    const { target } = this.#settings;
    if (!target || this.#reference) return this.#reference;
    const { resource, namespace, name, group: apiGroup, version: apiVersion, subresource } = target;
    this.#reference = { resource, namespace, name, uid: '', apiGroup, apiVersion, resourceVersion: '', subresource };
    return this.#reference;
  }

  #annotations(): readonly string[] {
    const { annotations, requestAnnotations } = this.#request;
    if (annotations.size === 0 && requestAnnotations.size === 0) return none;
    const pairs = pairsOf(annotations);
    if (this.keepsRequest && requestAnnotations.size > 0) pairs.push(...pairsOf(requestAnnotations));
    return inOrder(pairs);
  }

  /** Returns the JSON to record; undefined for a long one, which is annotated. */
  #recorded(json: string): string | undefined {
    if (json.length <= longestObjectChars) return this.#decision?.omitManagedFields ? withoutManagedFields(json) : json;
    this.#request.annotate(this.#settings.truncated, 'true');
    return undefined;
  }
}

const none: readonly string[] = Object.freeze([]);

/** The entries of a map, names and values alternately. */
function pairsOf(map: ReadonlyMap<string, string>): string[] {
  const pairs: string[] = [];
  for (const [name, value] of map) pairs.push(name, value);
  return pairs;
}

/** Sorts pairs by name. Most are in order, and an array of two is not worth a sort. */
function inOrder(pairs: readonly string[]): readonly string[] {
  for (let index = 2; index < pairs.length; index += 2) {
    if ((pairs[index - 2] ?? '') > (pairs[index] ?? '')) return sorted(pairs);
  }
  return pairs;
}

function sorted(pairs: readonly string[]): readonly string[] {
  const entries = pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? ''] as const] : []));
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).flat();
}

/** Returns the JSON of an object, a list or a Table without the managed fields of its objects. */
function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  const { value } = decodeJson(Buffer.from(json), { duplicates: false });
  if (!isJsonObject(value)) return json;
  dropManagers(value);
  objectsAt(value, 'items').forEach(dropManagers);
  for (const row of objectsAt(value, 'rows')) dropManagers(objectAt(row, 'object'));
  return encodeJson(value);
}

/** The empty object of a missing field is frozen, and has nothing to drop. */
function dropManagers(object: JsonObject): void {
  const metadata = objectAt(object, 'metadata');
  if (Object.hasOwn(metadata, 'managedFields')) delete metadata['managedFields'];
}

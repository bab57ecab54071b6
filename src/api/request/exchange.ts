import type { RequestAudit } from '../../audit/request-audit.ts';
import type { AdmissionAttributes } from '../../admission/admission.ts';
import { anonymous, type UserInfo } from '../../meta/user-info.ts';
import type { AnnotationLevel } from '../../meta/trace.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { RemoteApiService } from '../api-services/api-service.ts';
import { type Formats, textFormats } from './formats.ts';
import { type HttpExchange, OpenHttpExchange } from '../../http-protocol/requests/http-exchange.ts';
import type { RequestPath } from './request-path.ts';
import type { RequestTrace } from '../../http-protocol/requests/request-trace.ts';
import type { Span } from '../../tracing/span.ts';
import { noQuery, type Query } from '../../http-protocol/requests/query.ts';

/**
 * A request to the API and its response: the state that filters set, in order, and that handlers
 * read. A field is valid once the filter that sets it has run.
 */
export interface Exchange extends HttpExchange {
  /** Records the request; undefined if it is not audited. */
  audit: RequestAudit | undefined;
  /** Takes the steps of the request; undefined if its trace is not asked for. */
  trace: RequestTrace | undefined;
  /** The span of the request; undefined if the process does not trace. */
  span: Span | undefined;
  /** The start of encoding the response, for requests with a span. */
  encoding: { readonly startMs: number; readonly mediaType: string } | undefined;
  /** Facts about the request for its audit record, by name. */
  readonly annotations: ReadonlyMap<string, string>;
  /** Facts that are recorded at audit level Request and above only. */
  readonly requestAnnotations: ReadonlyMap<string, string>;
  /** Adds an annotation from a level on, unless there is one with the same name. */
  annotate(name: string, value: string, level?: AnnotationLevel): void;
  /** The formats of the server, or the formats of the requested resource. */
  formats: Formats;
  path: RequestPath;
  query: Query;
  /**
   * The verb for authorization: an API verb, or the lower-case method for non-resource requests.
   */
  verb: string;
  user: UserInfo;
  /** The authenticated caller if `user` is impersonated. */
  impersonator: UserInfo | undefined;
  /** The constrained verb that allowed the impersonation; '' without one. */
  impersonationConstraint: string;
  /** The connect sub-resource; undefined for other requests. */
  connect: ConnectDefinition | undefined;
  /** The server of the requested version, if it is not this one. */
  remote: RemoteApiService | undefined;
  /**
   * True for a connect sub-resource, here or on another server: the request may take any time.
   */
  isConnection: boolean;
  /** Adds the duration of a webhook call to the waits of the request. */
  waitedForWebhook(phase: WebhookPhase, ms: number): void;
}

type WebhookPhase = Parameters<NonNullable<AdmissionAttributes['waited']>>[0];

const noPath: RequestPath = Object.freeze({ sent: '', decoded: '', segments: [], query: '', target: undefined });

const noAnnotations: ReadonlyMap<string, string> = new Map();

/** The exchange of each request to the API. */
export class OpenExchange extends OpenHttpExchange implements Exchange {
  override audit: RequestAudit | undefined = undefined;
  encoding: Exchange['encoding'] = undefined;
  formats = textFormats;
  path = noPath;
  query = noQuery;
  verb = '';
  user = anonymous;
  impersonator: UserInfo | undefined = undefined;
  impersonationConstraint = '';
  connect: ConnectDefinition | undefined = undefined;
  remote: RemoteApiService | undefined = undefined;
  isConnection = false;
  #validatingMs = 0;
  #annotations: Map<string, string> | undefined;
  #requestAnnotations: Map<string, string> | undefined;

  /** The sender of a connect sub-resource waits for the reader, who may pause a log for hours. */
  override get readerMayPause(): boolean {
    return this.connect !== undefined;
  }

  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? noAnnotations;
  }

  get requestAnnotations(): ReadonlyMap<string, string> {
    return this.#requestAnnotations ?? noAnnotations;
  }

  waitedForWebhook(phase: WebhookPhase, ms: number): void {
    // Validating webhooks run in parallel, so that only the longest wait counts.
    const added = phase === 'admit' ? ms : Math.max(0, ms - this.#validatingMs);
    if (phase !== 'admit') this.#validatingMs += added;
    this.waitedMs += added;
  }

  annotate(name: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    const annotations =
      level === 'Request' ? (this.#requestAnnotations ??= new Map()) : (this.#annotations ??= new Map());
    if (!annotations.has(name)) annotations.set(name, value);
  }
}

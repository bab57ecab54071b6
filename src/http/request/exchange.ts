import { randomUUID } from 'node:crypto';
import { anonymous, type UserInfo } from '../../authn/user-info.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';
import type { RequestPath } from './request-path.ts';
import { createWarnings, type Warnings } from './warnings.ts';
import { noQuery, type Query } from './query.ts';

/**
 * One request and its answer: what the filters learn, in order, and the handlers need. The fields after `warnings`
 * have their meaning once the filter that sets them has run.
 */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  /** Aborts when the client goes away, when the deadline passes, or when the server must end a watch. */
  readonly signal: AbortSignal;
  /** Ends the work on this request; the reason is what the client is told, if it can still be told. */
  abort(reason: Error): void;
  readonly warnings: Warnings;
  path: RequestPath;
  query: Query;
  /** The verb of authorization: an API verb, or the lower-case method for non-resource requests. */
  verb: string;
  user: UserInfo;
  /** To be called when the request is dealt with: it can no longer take too long. */
  endDeadline: () => void;
}

/** Why work stops when the client has closed the connection. It is never an answer, and not worth a log line. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection before the answer was complete');
    this.name = 'ClientGone';
  }
}

const noDeadline = (): void => {};

const noPath: RequestPath = Object.freeze({ raw: '', decoded: '', query: '', target: undefined });

/** Starts an exchange and binds its signal to the connection. */
export function openExchange(request: HttpRequest, response: HttpResponse): Exchange {
  return new OpenExchange(request, response);
}

/** A class because a signal costs more than the rest of a small answer's bookkeeping, so it is made when it is asked for. */
class OpenExchange implements Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly auditId: string;
  readonly warnings = createWarnings();
  path = noPath;
  query = noQuery;
  verb = '';
  user = anonymous;
  endDeadline = noDeadline;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(request: HttpRequest, response: HttpResponse) {
    this.request = request;
    this.response = response;
    this.auditId = auditIdOf(request.headers['audit-id']);
    // Not `once`: it comes but once anyway, and the listener is cheaper.
    response.on('close', () => {
      if (!response.writableFinished) this.abort(new ClientGone());
    });
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** A client may bring its own id, to find the request in logs; anything that is not a plain short token is replaced. */
const acceptedAuditId = /^[A-Za-z0-9._-]{1,64}$/;

function auditIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptedAuditId.test(sent) ? sent : randomUUID();
}

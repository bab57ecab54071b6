import type { StatusDetails, StatusError } from '../status/status-error.ts';
import { type Document, documentOfJson } from './document.ts';

/** The wire form of a Status, fields in the order in which the API writes them. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** The Status of an error. */
export function failureStatus(error: StatusError): StatusBody {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.continueToken ? { continue: error.continueToken } : {},
    status: 'Failure',
    message: error.message,
    ...(error.reason ? { reason: error.reason } : {}),
    ...(error.details ? { details: error.details } : {}),
    code: error.code,
  };
}

/** The Status that answers a delete which removed the object at once. */
export function successStatus(details: StatusDetails): StatusBody {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

const markup: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/**
 * JSON of a Status. Markup is escaped, because messages quote what clients sent and browsers may be
 * pointed at them.
 */
export function statusJson(status: StatusBody): string {
  return JSON.stringify(status).replace(/[<>&]/g, (character) => markup[character] ?? character);
}

/** A Status as a document of any format. */
export function statusDocument(status: StatusBody): Document {
  return documentOfJson(Buffer.from(statusJson(status)));
}

import type { StatusDetails, StatusError, StatusMetadata } from '../status/status-error.ts';
import { type Document, documentOfJson } from './document.ts';

/** A Status as it is sent; the fields are in the order of kube-apiserver. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: StatusMetadata;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Returns the Status of an error. */
export function failureStatus(error: StatusError): StatusBody {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.metadata,
    status: 'Failure',
    message: error.message,
    ...(error.reason ? { reason: error.reason } : {}),
    ...(error.details ? { details: error.details } : {}),
    code: error.code,
  };
}

/** Returns the Status of a delete that removed the object at once. */
export function successStatus(details: StatusDetails): StatusBody {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

const markup: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/**
 * Encodes a Status as JSON. Escapes `<`, `>` and `&`, because messages quote requests and a browser
 * may open the response.
 */
export function statusJson(status: StatusBody): string {
  return JSON.stringify(status).replace(/[<>&]/g, (character) => markup[character] ?? character);
}

/** Returns a Status as a document for any codec. */
export function statusDocument(status: StatusBody): Document {
  return documentOfJson(Buffer.from(statusJson(status)));
}

import { errorOfAnswer } from '../../client/status-error.ts';
import { session } from './session.ts';

/** A request to the server of this page. */
interface Sent {
  readonly method?: string;
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request. Throws StatusError for a refusal, and the error of `fetch` if the server cannot
 * be reached. A 401 ends the session.
 */
export async function send(path: string, sent: Sent = {}): Promise<Response> {
  const { method = 'GET', accept = 'application/json', contentType, body, signal } = sent;
  const headers = new Headers({ Accept: accept });
  if (contentType !== undefined) headers.set('Content-Type', contentType);
  if (session.token !== '') headers.set('Authorization', `Bearer ${session.token}`);
  const response = await fetch(path, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    cache: 'no-store',
    redirect: 'error',
  });
  if (response.ok) return response;
  const error = errorOfAnswer(response.status, await response.text());
  if (response.status === 401) session.onRefused();
  throw error;
}

/** Sends a request and reads a JSON value of the form that the caller knows. */
export async function sendJson<Value>(path: string, sent: Sent = {}): Promise<Value> {
  const response = await send(path, sent);
  return (await response.json()) as Value;
}

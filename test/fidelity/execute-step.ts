import { isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import type { ApiResponse, ApiTarget, SentRequest } from './api-target.ts';
import { withoutPath, withValueAt } from './json-paths.ts';
import { fillPlaceholders, type Placeholders, rememberResponse } from './placeholders.ts';
import type { Edit, SequenceStep } from './sequence.ts';

/** Sends a step to a server, its placeholders filled, and keeps what the answer says for later steps. */
export async function executeStep(
  target: ApiTarget,
  step: SequenceStep,
  placeholders: Placeholders,
): Promise<ApiResponse> {
  const path = encodedPath(fillPlaceholders(step.path, placeholders));
  const body = await bodyOf(target, step, path, placeholders);
  const response = await send(target, step, { path: path + queryOf(step, placeholders), body });
  if (response.status < 300) rememberResponse(placeholders, response.body, step.remember);
  return response;
}

async function send(
  target: ApiTarget,
  { method, type, accept, userAgent }: SequenceStep,
  { path, body }: { readonly path: string; readonly body: string | undefined },
): Promise<ApiResponse> {
  const headers = {
    accept: accept ?? 'application/json',
    'user-agent': userAgent ?? 'fidelity/1.0',
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
  };
  const request: SentRequest = { method, path, headers, ...(body === undefined ? {} : { body }) };
  const response = await target.send(request);
  if (method !== 'HEAD') return response;
  const { status, contentType } = await target.send({ ...request, method: 'GET' });
  // The answer to a HEAD has no body of its own: whether it is like that of a GET is what is compared.
  return { ...response, body: { likeGet: response.status === status && response.contentType === contentType } };
}

/** A slash inside a name cannot be sent. */
function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function queryOf({ query = {} }: SequenceStep, placeholders: Placeholders): string {
  const pairs = Object.entries(query).map(
    ([key, value]) => `${key}=${encodeURIComponent(fillPlaceholders(value, placeholders))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function bodyOf(
  target: ApiTarget,
  step: SequenceStep,
  path: string,
  placeholders: Placeholders,
): Promise<string | undefined> {
  const { text, body, edits } = step;
  if (text !== undefined) return fillPlaceholders(text, placeholders);
  const live = edits ? await liveObject(target, path) : undefined;
  const whole = live === undefined ? body : withEdits(live, edits ?? []);
  return whole === undefined ? undefined : fillPlaceholders(JSON.stringify(whole), placeholders);
}

async function liveObject(target: ApiTarget, path: string): Promise<JsonValue | undefined> {
  const { status, body } = await target.send({ method: 'GET', path, headers: { accept: 'application/json' } });
  return status === 200 && isJsonObject(body) ? body : undefined;
}

function withEdits(object: JsonValue, edits: readonly Edit[]): JsonValue {
  return edits.reduce(
    (edited, { path, value }) => (value === undefined ? withoutPath(edited, path) : withValueAt(edited, path, value)),
    object,
  );
}

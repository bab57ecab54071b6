import { type ApiResponse, now } from './api-client.ts';
import { type Operation, unsaid } from './history.ts';
import type { TrafficClient } from './traffic-client.ts';

/** What is known of an operation before it is made. */
export type Draft = Partial<Operation> & Pick<Operation, 'verb'>;

/** Takes the time of an operation and adds it to the history. */
export async function record(
  client: Pick<TrafficClient, 'name' | 'history'>,
  draft: Draft,
  act: () => Promise<Partial<Operation>>,
): Promise<Operation> {
  const call = now();
  const result = await act().catch((error: unknown) => broken(error));
  const operation: Operation = {
    ...unsaid,
    client: client.name,
    call,
    return: now(),
    outcome: 'unknown',
    status: 0,
    ...draft,
    ...result,
  };
  client.history.operations.push(operation);
  return operation;
}

/** What came of a request that was answered with success. */
export function ok({ status }: ApiResponse): Pick<Operation, 'outcome' | 'status'> {
  return { outcome: 'ok', status };
}

/** A connection that broke tells nothing of what became of the request. */
function broken(error: unknown): Partial<Operation> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return { outcome: 'unknown', status: 0, reason: code };
}

/** What came of a request that was answered with a Status: without effect, or nobody knows. */
export function failure(response: ApiResponse): Partial<Operation> {
  const status = response.body as StatusBody | undefined;
  const causes = status?.details?.causes ?? [];
  const saysTooLarge = causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') && response.retryAfter !== '';
  const tells = [429, 504].includes(response.status) && saysTooLarge;
  return {
    outcome: response.status < 500 || tells ? 'refused' : 'unknown',
    status: response.status,
    reason: status?.reason ?? '',
    saysTooLarge,
  };
}

interface StatusBody {
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string }[] };
}

import type { Logger } from 'pino';
import type { ApiObject } from '../../client/api-object.ts';
import type { ReconcileRequest, ReconcileResult } from '../../client/controllers/controller.ts';

type Reconcile<T extends ApiObject> = (request: ReconcileRequest<T>) => Promise<ReconcileResult | void>;

/** Returns a reconcile that logs a line for each call, with its object and its time. */
export function loggedReconcile<T extends ApiObject>(
  log: Pick<Logger, 'debug'>,
  loop: string,
  reconcile: Reconcile<T>,
): Reconcile<T> {
  return async (request) => {
    const { namespace, name, failures } = request;
    const startMs = performance.now();
    let failed = true;
    try {
      const result = await reconcile(request);
      failed = false;
      return result;
    } finally {
      const ms = Math.round(performance.now() - startMs);
      log.debug({ loop, namespace, name, failures, failed, ms }, 'reconciled');
    }
  };
}

import type { ApiObject } from '../../client/api-object.ts';
import type { ReconcileRequest, ReconcileResult } from '../../client/controllers/controller.ts';
import type { TraceRequest } from '../../client/transport.ts';
import type { Tracing } from '../../tracing/span.ts';

type Reconcile<T extends ApiObject> = (request: ReconcileRequest<T>) => Promise<ReconcileResult | void>;

/** Returns a reconcile with a trace of each call. */
export function tracedReconcile<T extends ApiObject>(
  tracing: Tracing,
  controller: string,
  reconcile: Reconcile<T>,
): Reconcile<T> {
  return async (request) => {
    const { namespace, name, failures } = request;
    const span = tracing.root({
      name: `Reconcile ${controller}`,
      kind: 'internal',
      startMs: performance.now(),
      attributes: () => ({ controller, namespace, name, failures }),
    });
    try {
      return await span.run(() => reconcile(request));
    } catch (error) {
      span.fail();
      throw error;
    } finally {
      span.end();
    }
  };
}

/** Makes a span of each request of a reconcile, and tells the server of it. */
export function tracedRequests(tracing: Tracing): TraceRequest {
  return ({ method, path }, send) =>
    tracing.child(
      `HTTP ${method}`,
      () => ({ 'http.request.method': method, 'url.path': path }),
      () => send(tracing.headers()),
      'client',
    );
}

import type { ApiObject } from '../../client/api-object.ts';
import type { ReconcileRequest, ReconcileResult } from '../../client/controllers/controller.ts';
import type { TraceRequest } from '../../client/transport.ts';
import type { Tracing } from '../../tracing/span.ts';

type Reconcile<T extends ApiObject> = (request: ReconcileRequest<T>) => Promise<ReconcileResult | void>;

/** Wraps a reconcile so that each call is a trace. */
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

/** Wraps requests so that each is a span, which the server continues. */
export function tracedRequests(tracing: Tracing): TraceRequest {
  return ({ method, path }, send) =>
    tracing.child(
      `HTTP ${method}`,
      () => ({ 'http.request.method': method, 'url.path': path }),
      () => send(tracing.headers()),
      'client',
    );
}

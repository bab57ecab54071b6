import { CallError } from './call-error.ts';
import type { JsonClient } from './json-client.ts';

/**
 * A client that speaks HTTP/1.1, and HTTP/2 with a server that refuses HTTP/1.1 in the handshake.
 * Calls over HTTP/1.1 outlive a server that announces its stop (GOAWAY), and reach all addresses
 * behind a name.
 */
export function preferHttp1(open: (http2: boolean) => JsonClient): JsonClient {
  const http1 = open(false);
  let http2: JsonClient | undefined;
  return {
    async request(request) {
      if (http2) return http2.request(request);
      const startMs = performance.now();
      try {
        return await http1.request(request);
      } catch (error) {
        if (!refusesHttp1(error)) throw error;
        const { timeoutMs } = request;
        const left = timeoutMs === undefined ? {} : { timeoutMs: timeoutMs - (performance.now() - startMs) };
        return (http2 ??= open(true)).request({ ...request, ...left });
      }
    },
    async close() {
      await Promise.all([http1.close(), http2?.close()]);
    },
  };
}

/** Nothing of the request has been sent then. */
function refusesHttp1(error: unknown): boolean {
  if (!(error instanceof CallError) || !(error.cause instanceof Error) || !('code' in error.cause)) return false;
  return error.cause.code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
}

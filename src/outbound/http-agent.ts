import { createRequire } from 'node:module';
// The whole package also loads fetch, WebSocket, mocks and caches: twice the memory and the time.
import type { Agent as AgentType, Dispatcher } from 'undici';
import apiRequest from 'undici/lib/api/api-request.js';
import httpErrors from 'undici/lib/core/errors.js';
import connectorOf from 'undici/lib/core/connect.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { lazyModule } from '../package/lazy-module.ts';

// undici loads the parser of responses with its first connection. It finds it in Node's cache if it
// was asked for from the same folder.
lazyModule(() => {
  const client = createRequire(import.meta.url).resolve('undici/lib/dispatcher/client-h1.js');
  return createRequire(client)('../llhttp/llhttp_simd-wasm.js') as Buffer;
});

/** Keeps connections to servers. */
export type HttpAgent = AgentType;
/** Keeps connections to servers. */
export const HttpAgent = AgentClass;
/** Makes the function with which an agent connects. */
export const buildConnector = connectorOf;
/** The classes of the errors of an agent. */
export const errors = httpErrors;

/** A response whose body has not been read. */
export type HttpResponse = Dispatcher.ResponseData;

/** A request without its address. */
export type HttpRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Sends a request over a connection of an agent; resolves with the headers of the response. */
export function sendRequest(
  agent: Pick<Dispatcher, 'dispatch'>,
  url: string,
  options: HttpRequest,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(url);
  // Otherwise undici closes the connection after a DELETE with a body.
  return sendToPath(agent, { ...options, reset: false, origin, path: pathname + search });
}

/** Sends a request as `sendRequest` does, to a path that is not normalized. */
export function sendToPath(
  agent: Pick<Dispatcher, 'dispatch'>,
  options: Dispatcher.RequestOptions,
): Promise<HttpResponse> {
  return apiRequest.call(agent, options);
}

/**
 * An agent that calls a function when a connection is ready for a request, before anything of it
 * is written. If the function throws, the request fails with its error and is not sent.
 */
export function checkedAgent(agent: HttpAgent, beforeSend: () => void): Pick<Dispatcher, 'dispatch'> {
  return {
    dispatch(options, handler) {
      const onConnect = handler.onConnect?.bind(handler);
      handler.onConnect = (abort) => {
        beforeSend();
        onConnect?.(abort);
      };
      return agent.dispatch(options, handler);
    },
  };
}

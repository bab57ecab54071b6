import type { Agent, IncomingMessage } from 'node:http';
import { DialError } from '../../outbound/dial-error.ts';
import { isTrue } from '../../meta/read-field.ts';
import type { ConnectLocation } from '../../registry/definition/connect-definition.ts';
import { StatusError, type StatusReason } from '../../status/status-error.ts';
import { respondFrom } from '../../http-protocol/forward/respond-from.ts';
import { sendRequest } from '../../http-protocol/forward/send-request.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { ConnectCall, ConnectHandler } from './connect-subresource.ts';
import { connectionError, type ForwardingDependencies, hostOf, locationOf, pathOf } from './forwarding.ts';

/** The words of kube-apiserver for the statuses of another server. */
const failures: Readonly<Record<number, readonly [reason: StatusReason, message: string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** The error of a node agent that refused to return the logs of a pod, with its message. */
function logFailure(status: number, body: string, pod: string): StatusError {
  if (status === 500) {
    const details = { causes: [{ message: body }] };
    return new StatusError('InternalError', `Internal error occurred: ${body}`, { details });
  }
  if (status === 400) return new StatusError('BadRequest', body);
  const [reason, message] = status === 403 ? (['Forbidden', body] as const) : (failures[status] ?? unknown(status));
  const kind = 'pods/log';
  return new StatusError(reason, `${message} ( ${kind} ${pod})`, { code: status, details: { name: pod, kind } });
}

function unknown(status: number): readonly [reason: StatusReason | '', message: string] {
  if (status < 500)
    return ['', `the server responded with the status code ${status} but did not return more information`];
  return ['InternalError', 'an error on the server ("unknown") has prevented the request from succeeding'];
}

/** The bytes of an error of a node agent that are read. */
const longestError = 50_000;

/**
 * Creates the handler of `log`: it reads the log from the node agent and passes it on as text, as
 * it is written and as the client reads it. A pod that is not scheduled has no log: 204. A log that
 * is followed ends when the server drains.
 */
export function forwardLogs({ locate, keep }: ForwardingDependencies): ConnectHandler {
  return async (call) => {
    const { exchange, options, scope, shutdown } = call;
    const location = await locationOf(locate, call);
    if (!location) {
      sendAsItIs(exchange, { status: 204, contentType: undefined, body: Buffer.alloc(0) });
      return;
    }
    const message = await requestLog(call, location, keep(location));
    const { statusCode: status = 0 } = message;
    if (status < 200 || status > 206) throw logFailure(status, await readError(message), scope.name);
    const body = isTrue(options, 'follow') ? until(message, shutdown) : message;
    const headers = new Map([['content-type', { name: 'Content-Type', values: ['text/plain'] }]]);
    await respondFrom(exchange, { status: 200, headers, body });
  };
}

async function requestLog(
  { exchange: { signal } }: ConnectCall,
  location: ConnectLocation,
  connections: Agent,
): Promise<IncomingMessage> {
  const host = hostOf(location);
  const path = pathOf(location);
  const headers = ['Host', host, 'Accept-Encoding', 'identity'];
  try {
    const { message, upgradeHead } = await sendRequest(connections, { method: 'GET', path, headers, signal });
    // A status below 200 is refused by the caller.
    if (upgradeHead) message.socket.destroy();
    return message;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Error ? failureOf(error, `${location.scheme}://${host}${path}`) : error;
  }
}

function failureOf(error: Error, url: string): StatusError {
  const isEnd = !(error instanceof DialError) && 'code' in error && error.code === 'ECONNRESET';
  return connectionError(isEnd ? new Error('EOF', { cause: error }) : error, `Get ${JSON.stringify(url)}`);
}

async function readError(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > longestError) break;
  }
  return text.slice(0, longestError);
}

/** The chunks of a log up to the moment when the signal aborts. */
async function* until(log: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const end = (): void => void log.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    if (!signal.aborted) for await (const chunk of log) yield chunk;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    log.destroy();
  }
}

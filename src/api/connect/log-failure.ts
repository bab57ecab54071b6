import { StatusError, type StatusReason } from '../../status/status-error.ts';

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
export function logFailure(status: number, body: string, pod: string): StatusError {
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

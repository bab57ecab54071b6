import type { HttpRequest } from '../messages/http-message.ts';

/** Returns the host that a client sent its request to; '' if it named none. */
export function clientHost(request: HttpRequest): string {
  const { host = '' } = request.headers;
  return 'authority' in request ? request.authority || host : host;
}

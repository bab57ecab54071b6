import type { HttpRequest } from './http-message.ts';

/**
 * Removes the headers whose names match, so that later handlers neither see nor forward them.
 * Names are as the client wrote them.
 */
export function removeHeaders({ rawHeaders, headers }: HttpRequest, matches: (name: string) => boolean): void {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (matches(rawHeaders[index] ?? '')) rawHeaders.splice(index, 2);
  }
  for (const name of Object.keys(headers)) if (matches(name)) delete headers[name];
}

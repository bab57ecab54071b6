import type { Connections } from '../client/connections.ts';
import type { CliIo } from './cli-io.ts';

/** Headers that are shown without their value. */
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Connections that tell each request on standard error with its status and time: from level 7 on
 * with its headers, from level 8 on with its body. Bodies of secrets and tokens are left out.
 */
export function loggedConnections(connections: Connections, server: string, level: number, io: CliIo): Connections {
  return {
    async send(kind, credentials, request) {
      const { method, path, headers, body } = request;
      const startMs = performance.now();
      const response = await connections.send(kind, credentials, request);
      const lines = [`${method} ${server}${path} ${response.status} in ${Math.round(performance.now() - startMs)} ms`];
      if (level > 6) lines.push(...Object.entries(headers).map(([name, value]) => `  ${name}: ${shown(name, value)}`));
      if (level > 7 && body) lines.push(isSecret(path) ? '  (a body that may have secrets)' : `  ${body.toString()}`);
      io.stderr.write(`${lines.join('\n')}\n`);
      return response;
    },
    close: () => connections.close(),
  };
}

function shown(name: string, value: string | readonly string[]): string {
  return secretHeaders.has(name) ? '(hidden)' : value.toString();
}

/** Secrets, requests for tokens and reviews of them. */
function isSecret(path: string): boolean {
  return /\/(?:secrets|tokenreviews|token)(?:[/?]|$)/.test(path);
}

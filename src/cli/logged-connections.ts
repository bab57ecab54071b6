import type { ClientRequest, ClientResponse } from '../client/client-request.ts';
import type { Connections } from '../client/connections.ts';
import type { CliIo } from './cli-io.ts';
import { visibleLines } from './format-rows.ts';

/** Headers that are shown without their value. */
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The levels of `-v` from which more is shown. */
const headersFrom = 7;
const bodiesFrom = 8;
const wholeBodiesFrom = 10;

const notModified = 304;

/** Characters of a body that are shown below the level of whole bodies. */
const shortBody = 1024;
const longBody = 10 * 1024;

/**
 * Connections that tell each request on standard error with its status and time: from level 7 on
 * with its headers, from level 8 on with both bodies, which are cut below level 10. Bodies that may
 * have secrets or tokens are left out.
 */
export function loggedConnections(connections: Connections, server: string, level: number, io: CliIo): Connections {
  return {
    async send(kind, credentials, request) {
      const startMs = performance.now();
      const tell = (outcome: string, answer?: Buffer): void => {
        const first = `${request.method} ${server}${request.path} ${outcome} in ${Math.round(performance.now() - startMs)} ms`;
        io.stderr.write(`${[first, ...details(request, answer, level)].map(visibleLines).join('\n')}\n`);
      };
      let response: ClientResponse;
      try {
        response = await connections.send(kind, credentials, request);
      } catch (error) {
        tell(`failed (${error instanceof Error ? error.message : String(error)})`);
        throw error;
      }
      const { status } = response;
      // Streams have no end to wait for, and of what has not changed there is no body to read.
      const isTold = kind !== 'requests' || status === notModified;
      if (isTold) tell(String(status));
      return {
        ...response,
        async bytes(limitBytes) {
          const answer = await response.bytes(limitBytes);
          if (!isTold) tell(String(status), answer);
          return answer;
        },
      };
    },
    close: () => connections.close(),
  };
}

function details({ headers, body, path }: ClientRequest, answer: Buffer | undefined, level: number): string[] {
  const lines: string[] = [];
  if (level >= headersFrom) {
    lines.push(...Object.entries(headers).map(([name, value]) => `  ${name}: ${shownHeader(name, value)}`));
  }
  if (level < bodiesFrom) return lines;
  const sent = body === undefined ? [] : [`  sent: ${shownBody(path, Buffer.from(body), level)}`];
  return [...lines, ...sent, ...(answer?.length ? [`  received: ${shownBody(path, answer, level)}`] : [])];
}

function shownHeader(name: string, value: string | readonly string[]): string {
  return secretHeaders.has(name) ? '(hidden)' : value.toString();
}

function shownBody(path: string, body: Buffer, level: number): string {
  const most = level >= wholeBodiesFrom ? Infinity : level > bodiesFrom ? longBody : shortBody;
  if (isSecret(path) || hasSecret(body)) return '(a body that may have secrets)';
  const text = body.toString();
  return text.length > most ? `${text.slice(0, most)} [and ${text.length - most} more]` : text;
}

/** Secrets, requests for tokens and reviews of them. */
function isSecret(path: string): boolean {
  return /\/(?:secrets|tokenreviews|token)(?:[/?]|$)/.test(path);
}

/** Secrets and their lists that are sent to or come from other paths. */
function hasSecret(body: Buffer): boolean {
  return /"?kind"?\s*:\s*"?(?:Secret|SecretList|TokenReview|TokenRequest)\b/.test(body.toString('latin1'));
}

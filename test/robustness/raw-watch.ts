import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Address } from './api-client.ts';

/** A watch on a connection of its own, whose reader decides when to read. */
export interface RawWatch {
  /** `type name` of each document that has been read; `ERROR code` of an error. */
  readonly events: readonly string[];
  /** The resourceVersion of the last one. */
  readonly revision: () => string;
  /** Whether the server has ended it, and that has been read. */
  readonly ended: () => boolean;
  /** Stops reading, so that everything piles up on the way. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a watch; resolves when the server has answered. */
export async function openRawWatch({ url, ca, token }: Address, path: string): Promise<RawWatch> {
  const events: string[] = [];
  let revision = '';
  let ended = false;
  let rest = '';
  const outgoing = request(url + path, { ca, agent: false, headers: { authorization: `Bearer ${token}` } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  if (response.statusCode !== 200) throw new Error(`a watch was answered ${response.statusCode}`);
  outgoing.on('error', () => undefined);
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as {
        type: string;
        object: { code?: number; metadata: { name: string; resourceVersion: string } };
      };
      events.push(`${type} ${type === 'ERROR' ? object.code : object.metadata.name}`);
      revision = object.metadata.resourceVersion;
    }
  });
  response.on('error', () => undefined);
  response.once('close', () => {
    ended = true;
  });
  return {
    events,
    revision: () => revision,
    ended: () => ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void outgoing.destroy(),
  };
}

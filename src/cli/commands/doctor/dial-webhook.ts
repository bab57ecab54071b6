import { once } from 'node:events';
import { connect } from 'node:net';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { type Finding, warning } from './finding.ts';

const timeoutMs = 2000;

/** A warning about a webhook with a URL whose server takes no connection from this machine. */
export async function dialWebhook(webhook: JsonObject): Promise<readonly Finding[]> {
  const url = stringAt(objectAt(webhook, 'clientConfig'), 'url');
  if (!URL.canParse(url)) return [];
  const { host, hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || '443') });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return [];
  } catch {
    const message = `the webhook ${stringAt(webhook, 'name')} cannot be reached from this machine at ${host}`;
    return [warning(message, 'start its server; if only the API server reaches it, all is well')];
  } finally {
    socket.destroy();
  }
}

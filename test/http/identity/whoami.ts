import https from 'node:https';
import type { OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ClientCertificate } from './certificate-authority.ts';
import type { TestServer } from '../../../src/testing/index.ts';

/** The user of a request as the server sees it, or the status of a refusal. */
export interface Seen {
  readonly status: number;
  readonly user: unknown;
}

/** Asks a server who the sender of a request is, on a connection of its own. */
export async function whoami(
  server: Pick<TestServer, 'url' | 'ca' | 'identifiers'>,
  headers: OutgoingHttpHeaders = {},
  client?: ClientCertificate,
): Promise<Seen> {
  const group = server.identifiers === 'cluster' ? 'authentication.cl.io' : 'authentication.k8s.io';
  const request = https.request(`${server.url}/apis/${group}/v1/selfsubjectreviews`, {
    method: 'POST',
    agent: false,
    ca: server.ca,
    headers: { 'content-type': 'application/json', ...headers },
    // The client would not send weak certificates by default.
    ...(client ? { cert: client.certPem, key: client.keyPem, ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
  });
  // A text would be joined with the headers, and both encoded as UTF-8.
  request.end(Buffer.from('{}'));
  const [response] = await once(request, 'response');
  const body = JSON.parse(await text(response));
  return { status: response.statusCode, user: body.status?.userInfo };
}

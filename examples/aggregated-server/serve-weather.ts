import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

const groupVersion = 'weather.example.com/v1';

/** What discovery says of the one kind. */
const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    { name: 'forecasts', singularName: 'forecast', namespaced: false, kind: 'Forecast', verbs: ['get', 'list'] },
  ],
};

/** A server of Forecasts, which no store has. The CA signs the certificate of the API server. */
export function serveWeather(tls: { readonly key: string; readonly cert: string; readonly ca: string }): Server {
  return createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    // Only the API server says who asks: it has a certificate of the CA.
    if (!(request.socket as TLSSocket).authorized) return void response.writeHead(401).end();
    const body = answerOf(request);
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
}

function answerOf({ url = '', headers }: IncomingMessage): object | undefined {
  const [path = ''] = url.split('?');
  if (path === `/apis/${groupVersion}`) return resources;
  const [, name] = /\/forecasts\/([a-z-]+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const status = { temperature: 21, askedBy: headers['x-remote-user'] };
  return { kind: 'Forecast', apiVersion: groupVersion, metadata: { name }, status };
}

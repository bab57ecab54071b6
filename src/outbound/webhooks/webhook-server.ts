import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../meta/read-field.ts';

/** The address of a webhook: its URL, or its service. */
export interface WebhookServer {
  /** The URL as messages show it. */
  readonly url: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
  /** PEM of the trusted CAs; undefined: the CAs of the system. */
  readonly ca: string | undefined;
}

const httpsPort = 443;

/** Reads the `clientConfig` of a webhook. */
export function readWebhookServer(client: JsonObject): WebhookServer {
  const bundle = stringAt(client, 'caBundle');
  const ca = bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString('utf8');
  if (!isSet(client, 'service')) return { url: stringAt(client, 'url'), service: undefined, ca };
  const service = objectAt(client, 'service');
  const [namespace, name] = [stringAt(service, 'namespace'), stringAt(service, 'name')];
  const port = numberAt(service, 'port') ?? httpsPort;
  const path = stringAt(service, 'path');
  const url = `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? '' : '/'}${path}`;
  return { url, service: { namespace, name, port }, ca };
}

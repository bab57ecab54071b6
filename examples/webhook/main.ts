import { readFile } from 'node:fs/promises';
import { builtInResources, createClient, findClientConfig } from 'cl-apiserver/client';
import { configurations } from './configurations.js';
import { serveWebhooks } from './serve-webhooks.js';

const [key, cert] = await Promise.all([readFile('tls.key', 'utf8'), readFile('tls.crt', 'utf8')]);
serveWebhooks({ key, cert }).listen(8443, '127.0.0.1');

const client = createClient(await findClientConfig());
const { mutatingwebhookconfigurations, validatingwebhookconfigurations } = builtInResources();
const { mutating, validating } = configurations('https://localhost:8443', cert);
await client.resource(mutatingwebhookconfigurations).create(mutating);
await client.resource(validatingwebhookconfigurations).create(validating);
console.log('reviewing Deployments at https://localhost:8443');

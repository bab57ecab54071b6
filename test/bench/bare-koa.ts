// The baseline: a minimal Koa handler over TLS that answers every path with the bytes of a file of that name.
// Arguments: certificate, key, folder. Prints its port.
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Koa from 'koa';

const [certFile = '', keyFile = '', folder = ''] = process.argv.slice(2);
const answers = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(path.join(folder, name))]));
const app = new Koa();
app.use((context) => {
  context.type = 'application/json';
  context.body = answers.get(context.path);
});
const handle = app.callback();
const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
  void handle(request, response);
});
// The address of a listening TCP server is an AddressInfo.
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});

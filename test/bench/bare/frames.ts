// The least that can broadcast: every GET under /watch stays open, and GET /emit?ticks=T&batch=B&pause=P writes B frames in one piece to each of
// them, once a tick, with P milliseconds between ticks, or as fast as the readers take them. Arguments: certificate, key, file of one frame. Prints its port.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [certFile = '', keyFile = '', frameFile = ''] = process.argv.slice(2);
const watchers = new Set<ServerResponse>();

async function emit(ticks: number, batch: number, pauseMs: number): Promise<void> {
  const frame = readFileSync(frameFile);
  for (let tick = 0; tick < ticks; tick++) {
    const bytes = Buffer.concat(Array.from({ length: batch }, () => frame));
    for (const watcher of watchers) watcher.write(bytes);
    await sleep(pauseMs);
    for (const watcher of watchers) if (watcher.writableNeedDrain) await once(watcher, 'drain');
  }
}

const server = createServer(
  { cert: readFileSync(certFile), key: readFileSync(keyFile), noDelay: true },
  (request, response) => {
    const url = new URL(request.url ?? '/', 'https://bare');
    if (url.pathname === '/emit') {
      const number = (name: string): number => Number(url.searchParams.get(name));
      void emit(number('ticks'), number('batch'), number('pause')).then(() => response.end());
      return;
    }
    watchers.add(response);
    response.once('close', () => watchers.delete(response));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
  },
);
// The address of a listening TCP server is an AddressInfo.
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

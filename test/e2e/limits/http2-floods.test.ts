import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServerProcess } from '../../robustness/server-process.ts';
import { machineSlowness } from '../../machine-speed.ts';
import type { ProcessSample } from '../../soak/monitor-event-loop.ts';
import { request } from '../../http/http-client.ts';
import { until } from '../../http/until.ts';
import { type Http2Flood, http2Floods } from '../../http/limits/http2-floods.ts';
import { openHttp2Peer } from '../../http/limits/http2-peer.ts';

/** The longest block of the event loop in milliseconds of CPU time. */
const blockBoundMs = 250;
const clients = 3;
const warmUpRequests = 1_000;
/** One block can be longer by chance; a flood that blocks the loop does it in each attempt. */
const attempts = 3;

describe('a server that is flooded over HTTP/2', () => {
  let directory: string;
  let server: ServerProcess;
  const samples: ProcessSample[] = [];

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-floods-'));
    const monitor = fileURLToPath(new URL('../../soak/monitor-event-loop.js', import.meta.url));
    server = await startServerProcess({
      etcdEndpoints: [],
      directory,
      flags: [],
      nodeArguments: ['--import', monitor],
      onMessage: (message) => samples.push(message as ProcessSample),
    });
    // A server that has just started runs code that is not compiled yet.
    for (let i = 0; i < warmUpRequests; i++) await request(server, 'GET', '/api/v1/namespaces/default/configmaps');
  });
  after(async () => {
    await server.kill();
    await rm(directory, { recursive: true, force: true });
  });

  const reported = (): Promise<void> => {
    const from = samples.length;
    // The report under way may have begun before; the next one has not.
    return until('the process to report', () => samples.length >= from + 2);
  };

  /** The longest block while the clients send their flood. */
  const blockOf = async (reading: boolean, send: Http2Flood['send']): Promise<number> => {
    await reported();
    samples.length = 0;
    const peers = await Promise.all(Array.from({ length: clients }, () => openHttp2Peer(server, reading)));
    const sending = peers.map((peer) => send(peer, server.token));
    await Promise.race([
      Promise.all(sending),
      until('the peers to be cut', () => peers.every((peer) => peer.closed())),
    ]);
    await reported();
    for (const { socket } of peers) socket.destroy();
    return Math.max(...samples.map(({ blockMs }) => blockMs)) / machineSlowness();
  };

  for (const { name, reading, send } of http2Floods) {
    it(`by ${clients} clients, each of which ${name}, does not block its event loop (B91)`, async () => {
      let longest = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < attempts && longest >= blockBoundMs; attempt++) {
        longest = await blockOf(reading, send);
      }
      assert.ok(longest < blockBoundMs, `the loop was blocked for ${longest} ms`);
      assert.equal(server.crashed(), false);
    });
  }
});

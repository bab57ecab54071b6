import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { joinSockets } from '../../../../src/http-protocol/forward/join-sockets.ts';

/** Two ends of a connection. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [client, accepted];
}

describe('joined connections', () => {
  for (const bytesPerSecond of [0, 100_000]) {
    it(`deliver the last bytes of a side that has closed, at ${bytesPerSecond} bytes per second`, async () => {
      const [client, front] = await pair();
      const [back, backend] = await pair();
      const joined = joinSockets(front, back, { signal: new AbortController().signal, onSent() {}, bytesPerSecond });
      let received = 0;
      client.on('data', (chunk: Buffer) => (received += chunk.length));
      backend.end(Buffer.alloc(20_000));
      await once(client, 'close');
      await joined;
      assert.equal(received, 20_000);
    });
  }
});

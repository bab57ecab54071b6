import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { linesWithoutUpgrade } from '../../../../src/api/connect/lines-without-upgrade.ts';
import { idleConnections } from '../../../idle-connections.ts';

/** How Node's parser takes the header of a request: as an upgrade, or as a request. */
async function read(lines: readonly string[]): Promise<{ readonly event: string; readonly request: IncomingMessage }> {
  const server = createServer(idleConnections).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    const arrived = ['request', 'upgrade'].map(async (event) => {
      const [request] = (await once(server, event)) as [IncomingMessage];
      request.socket.destroy();
      return { event, request };
    });
    socket.write(['GET / HTTP/1.1', ...lines, '', ''].join('\r\n'));
    return await Promise.race(arrived);
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('the header of an upgrade that is ignored', () => {
  for (const connection of [
    ['Connection: Upgrade'],
    ['Connection: keep-alive,\tUPGRADE ,x'],
    ['Connection: x', 'connection: upgrade'],
    ['Proxy-Connection: Upgrade'],
    ['Connection: keep-alive', 'proxy-connection: Keep-Alive, Upgrade'],
    ['Connection: upgrade,', 'Connection: ,upgrade'],
  ])
    it(`requests none: ${JSON.stringify(connection)}`, async () => {
      const first = await read(['Host: h', ...connection, 'Upgrade: websocket']);
      assert.equal(first.event, 'upgrade');
      const again = await read(linesWithoutUpgrade(first.request.rawHeaders));
      assert.equal(again.event, 'request');
      assert.equal(again.request.headers.upgrade, 'websocket');
    });

  it('keeps the other options of the connection', () => {
    const lines = linesWithoutUpgrade(['Host', 'h', 'Connection', 'close, Upgrade, x']);
    assert.deepEqual(lines, ['Host: h', 'Connection: close, x']);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createBackend } from '../../../src/outbound/backend.ts';
import type { TunnelTarget } from '../../../src/outbound/proxy/send-connect.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { idleConnections } from '../../idle-connections.ts';

describe('the connections to a backend behind a proxy', () => {
  it('carry requests and upgrades, with the name of the backend in TLS', async () => {
    const [key, serverKey] = [await generateKey(), await generateKey()];
    const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3_600_000));
    const cert = await issueServingCertificate({ key, certificatePem: ca }, serverKey, ['backend.inside']);
    const server = createServer({ cert, key: encodeKey(serverKey), ...idleConnections }, (_, response) => {
      response.end('ok');
    });
    server.on('upgrade', (_, socket: Socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const opened: TunnelTarget[] = [];
    const tunnel = async (target: TunnelTarget): Promise<Socket> => {
      opened.push(target);
      return connect(port, '127.0.0.1');
    };
    const backend = createBackend({ ca, insecure: false, serverName: 'backend.inside', tunnel });
    const address = { host: '192.0.2.1', port: 443 };
    const { signal } = new AbortController();
    const sent = { address, method: 'GET', path: '/', headers: ['host', 'backend.inside'], signal };
    const { status, body } = await backend.send(sent);
    assert.deepEqual([status, String(await body.toArray())], [200, 'ok']);
    const answer = await backend.upgrade({
      ...sent,
      headers: [...sent.headers, 'connection', 'upgrade', 'upgrade', 'x'],
    });
    assert.ok(answer.upgraded);
    let text = answer.head.toString();
    for await (const chunk of answer.socket) text += String(chunk);
    assert.equal(text, 'hello');
    assert.deepEqual(opened, [address, address]);
    const stranger = createBackend({ ca, insecure: false, serverName: 'other.inside', tunnel });
    await assert.rejects(stranger.upgrade(sent), /other\.inside/);
    await assert.rejects(stranger.send(sent), /other\.inside/);
    stranger.close();
    backend.close();
    server.closeAllConnections();
    server.close();
  });
});

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { ProxyAddress, TunnelTarget } from './proxy-address.ts';

/** Asks an HTTP proxy for a tunnel. */
export function connectThroughHttp(proxy: ProxyAddress, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const { protocol, host, port, username, password } = proxy;
  const path = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = { host: path, ...(username ? { 'proxy-authorization': `Basic ${basic}` } : {}) };
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send({ host, port, method: 'CONNECT', path, headers, agent: false, signal });
    request.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new Error(`proxy ${host}:${port}: CONNECT was answered with ${statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.on('error', (error) => reject(new Error(`proxy ${host}:${port}: ${error.message}`, { cause: error })));
    request.end();
  });
}

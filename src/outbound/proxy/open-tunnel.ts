import type { Socket } from 'node:net';
import { connectThroughSocks } from './connect-through-socks.ts';
import type { ProxyAddress, TunnelTarget } from './proxy-address.ts';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 };

/**
 * Opens a connection to a server through a proxy: by CONNECT (RFC 9110 section 9.3.6) for `http`
 * and `https`, by RFC 1928 for `socks5`. Rejects if the signal aborts before it is open.
 */
export function openTunnel(proxyUrl: string, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxyUrl);
  const proxy: ProxyAddress = {
    protocol,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (defaultPorts[protocol] ?? 0),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  return protocol === 'socks5:'
    ? connectThroughSocks(proxy, target, signal)
    : connectThroughHttp(proxy, target, signal);
}

/** Asks an HTTP proxy for a tunnel. */
function connectThroughHttp(proxy: ProxyAddress, target: TunnelTarget, signal: AbortSignal): Promise<Socket> {
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

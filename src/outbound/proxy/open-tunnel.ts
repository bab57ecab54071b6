import type { Socket } from 'node:net';
import { connectThroughHttp } from './connect-through-http.ts';
import { connectThroughSocks } from './connect-through-socks.ts';
import type { ProxyAddress, TunnelTarget } from './proxy-address.ts';

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

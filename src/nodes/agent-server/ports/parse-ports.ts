import { isIP } from 'node:net';

const highestPort = 65_535;

/** Reads targets by ports, `80=127.0.0.1:3000,443=[::1]:8443`; undefined if the form is another. */
export function parsePorts(text: string): ReadonlyMap<number, string> | undefined {
  const targets = new Map<number, string>();
  for (const part of text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, port = '', target = ''] = /^(\d{1,5})=(\S+)$/.exec(part) ?? [];
    if (!isPort(port) || !isTarget(target)) return undefined;
    targets.set(Number(port), target);
  }
  return targets;
}

/** True for an IP address with a port. */
export function isTarget(text: string): boolean {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return isPort(port) && isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= highestPort;
}

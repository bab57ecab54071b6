import { isIP } from 'node:net';
import type { Identifiers } from '../identifiers/identifiers.ts';

/** DNS host names have no underscores, but names of machines do. */
const dnsName = /^(\*\.)?[A-Za-z0-9_][-A-Za-z0-9_]{0,62}(\.[A-Za-z0-9_][-A-Za-z0-9_]{0,62})*$/;

/** Reports whether a text is an IP address or a DNS name, which a certificate may have. */
export function isServerName(name: string): boolean {
  return isIP(name) !== 0 || dnsName.test(name);
}

/** The names of an API server on its machine and in its cluster. */
export function apiServerNames({ product }: Identifiers): readonly string[] {
  const services = ['', '.default', '.default.svc'].map((end) => product + end);
  return ['localhost', '127.0.0.1', '::1', ...services];
}

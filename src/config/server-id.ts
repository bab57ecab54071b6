import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** The digits of base32 (RFC 4648) in lower case. */
const digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** The bytes of the digest that are in the name. */
const idBytes = 16;

/** The identity of this server in the cluster: `apiserver-<digest of the host name>`. */
export function serverId(host: string = hostname()): string {
  const digest = createHash('sha256').update(host).digest().subarray(0, idBytes);
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return `apiserver-${groups.map((group) => digits[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')}`;
}

import { inSection } from '../../flags/flag-table.ts';
import { integer, text } from '../../flags/flag-types.ts';

const file = text('file');

/** The flags of the certificate for aggregated servers. */
export const proxyClientFlags = inSection('Aggregation', {
  certFile: {
    flag: 'proxy-client-cert-file',
    type: file,
    help: 'client certificate that names this server to aggregated servers, which trust the users in its headers',
  },
  keyFile: {
    flag: 'proxy-client-key-file',
    type: file,
    help: 'private key of the certificate for aggregated servers',
  },
});

/** The flags about peers: the other servers of the store. */
export const peerFlags = inSection('Aggregation', {
  /** PEM bundle that verifies peers; undefined: no requests are forwarded to peers. */
  peerCaFile: {
    flag: 'peer-ca-file',
    type: file,
    help: 'CA bundle that verifies the other servers of the store: requests for resources that only they serve are passed on to them, with the certificate for aggregated servers',
  },
  /** The address at which peers reach this server, in place of the advertised one. */
  peerAdvertiseIp: {
    flag: 'peer-advertise-ip',
    type: text('address'),
    help: 'address at which the other servers of the store reach this one; by default, and without --peer-advertise-port, the advertised address',
  },
  peerAdvertisePort: {
    flag: 'peer-advertise-port',
    type: integer('port', 1, 65_535),
    help: 'port at which the other servers of the store reach this one',
  },
});

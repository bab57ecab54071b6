import type { FlagTable } from '../../../flags/flag-table.ts';
import { list, text } from '../../../flags/flag-types.ts';
import { section } from '../../shared-flags.ts';
import { planeFlags } from '../start/flags.ts';

const etcdFile = (flag: string, help: string) => ({ flag, type: text('file'), default: undefined, section, help });

/** Flags of `cl snapshot save` and `restore`. */
export const snapshotFlags = {
  ...planeFlags,
  etcdServers: {
    flag: 'etcd-servers',
    type: list('urls'),
    default: [],
    section,
    help: 'etcd of another control plane than one of "cl up"',
  },
  etcdCa: etcdFile('etcd-cafile', 'CA bundle that verifies etcd'),
  etcdCert: etcdFile('etcd-certfile', 'client certificate for etcd'),
  etcdKey: etcdFile('etcd-keyfile', 'private key of the client certificate'),
} satisfies FlagTable;

import type { FlagTable } from '../../../flags/flag-table.ts';
import { integer, list, text } from '../../../flags/flag-types.ts';
import { planeFlags } from '../start/flags.ts';

const etcdFile = (flag: string, help: string) => ({ flag, type: text('file'), help });

/** Flags of `cl snapshot save`. */
export const snapshotFlags = {
  ...planeFlags,
  etcdServers: { type: list('urls'), default: [], help: 'etcd of another control plane than one of "cl up"' },
  etcdCa: etcdFile('etcd-cafile', 'CA bundle that verifies etcd'),
  etcdCert: etcdFile('etcd-certfile', 'client certificate for etcd'),
  etcdKey: etcdFile('etcd-keyfile', 'private key of the client certificate'),
} satisfies FlagTable;

/** Flags of `cl snapshot restore`. */
export const restoreFlags = {
  ...snapshotFlags,
  raiseRevision: {
    flag: 'raise-revision',
    type: integer('revision'),
    help: 'the least revision of etcd afterwards; above all that clients have seen, they notice the restore (default: that of the file and 1000)',
  },
} satisfies FlagTable;

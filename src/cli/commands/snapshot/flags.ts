import type { FlagTable } from '../../../flags/flag-table.ts';
import { list, text } from '../../../flags/flag-types.ts';
import { planeFlags } from '../start/flags.ts';

const etcdFile = (flag: string, help: string) => ({ flag, type: text('file'), help });

/** Flags of `cl snapshot save` and `restore`. */
export const snapshotFlags = {
  ...planeFlags,
  etcdServers: { type: list('urls'), default: [], help: 'etcd of another control plane than one of "cl up"' },
  etcdCa: etcdFile('etcd-cafile', 'CA bundle that verifies etcd'),
  etcdCert: etcdFile('etcd-certfile', 'client certificate for etcd'),
  etcdKey: etcdFile('etcd-keyfile', 'private key of the client certificate'),
} satisfies FlagTable;

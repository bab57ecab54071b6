import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connectEtcd, type EtcdClient } from '../../../etcd/etcd-client.ts';
import { startLocalEtcd } from '../../../etcd/local-etcd.ts';
import { makeDirectory } from '../../../files/make-directory.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { withStoreHint } from '../../store-hint.ts';
import { counted, withProgress } from '../../progress.ts';
import { restoreIntoEtcd } from '../../../recording/restore-into-etcd.ts';
import { checkSnapshot, type SnapshotEntry, writeSnapshot } from '../../../recording/snapshot-file.ts';
import { dataDirOf } from '../../up/known-planes.ts';
import { markRestore } from '../../up/restore-mark.ts';
import { findRun } from '../../up/run-record.ts';
import type { restoreFlags, snapshotFlags } from './flags.ts';
import { raiseReport } from './raise-report.ts';

type SnapshotInvocation = Invocation<typeof snapshotFlags>;

const pageKeys = 500;

/** The assumed number of writes after a snapshot; clients may have seen their versions. */
const writesAfterSave = 1_000;

/** `cl snapshot save FILE`: all keys and values of a store at one revision. */
export async function save({ words: [name = ''], options, io }: SnapshotInvocation): Promise<void> {
  if (options.etcdServers.length === 0) await requireStore(dataDirOf(options, io));
  await withStore(options, io, async (etcd) => {
    const file = resolve(io.directory, name);
    const revision = await etcd.revision(io.signal);
    const count = await withProgress(io, (report) => {
      const entries = counted(entriesAt(etcd, revision, io.signal), (saved) => report(`${saved} keys are saved`));
      return writeSnapshot(file, revision, entries, io.signal);
    });
    io.stdout.write(`saved ${count} keys at revision ${revision} in ${name}\n`);
  });
}

/** A store that is not there is not made in order to save nothing. */
async function requireStore(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'etcd', 'member')) || (await findRun(dataDir))) return;
  throw new CliError(`${dataDir} has no control plane`, {
    hint: 'choose one of "cl up list" with --name or --data-dir, or an etcd with --etcd-servers',
  });
}

async function* entriesAt(etcd: EtcdClient, revision: number, signal: AbortSignal): AsyncIterable<SnapshotEntry> {
  for (let startKey: string | undefined; ; ) {
    const { values } = await etcd.range('', { startKey, limit: pageKeys, revision, signal });
    yield* values;
    const last = values.at(-1);
    if (!last || values.length < pageKeys) return;
    startKey = `${last.key}\0`;
  }
}

/** `cl snapshot restore FILE`: the same into a store without keys. The file is checked before. */
export async function restore({ words: [name = ''], options, io }: Invocation<typeof restoreFlags>): Promise<void> {
  const file = resolve(io.directory, name);
  await checkSnapshot(file);
  const isOwn = options.etcdServers.length === 0;
  const marked = <Value>(work: () => Promise<Value>) => (isOwn ? markRestore(dataDirOf(options, io), work) : work());
  await withStore(options, io, async (etcd) => {
    const summary = await withProgress(io, (report) =>
      marked(() =>
        restoreIntoEtcd(file, etcd, {
          // The server of another etcd may use --storage-media-type; the one of "cl up" does not.
          mayBeBinary: !isOwn,
          onProgress: (restored, all) => report(`${restored} of ${all} keys are restored`),
          raise: {
            revision: (savedAt) => options.raiseRevision ?? savedAt + writesAfterSave,
            onProgress: raiseReport(io, report),
          },
          signal: io.signal,
        }),
      ),
    ).catch((error: unknown) => {
      throw withStoreHint(error, 'use another --name or --data-dir');
    });
    const { count, revision, time } = summary;
    const newest = await etcd.revision(io.signal);
    io.stdout.write(`restored ${count} keys of ${time}, revision ${revision}, as revision ${newest}\n`);
  });
}

/** Connects to the etcd of the flags or of `cl up`; starts the latter if it does not run. */
async function withStore(
  options: SnapshotInvocation['options'],
  io: CliIo,
  use: (etcd: EtcdClient) => Promise<void>,
): Promise<void> {
  const { etcdServers: endpoints } = options;
  if (endpoints.length > 0) {
    const tls = await tlsOf(options, io);
    await connected({ endpoints, tls }, use);
    return;
  }
  const dataDir = dataDirOf(options, io);
  const run = await findRun(dataDir);
  if (run?.etcd !== undefined) await connected({ endpoints: [run.etcd] }, use);
  else if (run) throw new CliError('its store is in memory, of which nothing can be saved');
  else {
    const folder = join(dataDir, 'etcd');
    await makeDirectory(folder);
    const etcd = await startLocalEtcd({ dataDir: folder });
    try {
      await connected({ endpoints: [etcd.endpoint] }, use);
    } finally {
      await etcd.stop();
    }
  }
}

async function connected(
  options: Parameters<typeof connectEtcd>[0],
  use: (etcd: EtcdClient) => Promise<void>,
): Promise<void> {
  const etcd = await connectEtcd(options);
  try {
    await use(etcd);
  } finally {
    etcd.close();
  }
}

async function tlsOf({ etcdCa, etcdCert, etcdKey }: SnapshotInvocation['options'], io: CliIo) {
  const read = async (file: string | undefined) => file && readFile(resolve(io.directory, file));
  const [ca, cert, key] = await Promise.all([etcdCa, etcdCert, etcdKey].map(read));
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
}

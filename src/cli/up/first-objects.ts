import { resolve } from 'node:path';
import { createClient } from '../../client/client.ts';
import { connectEtcd } from '../../etcd/etcd-client.ts';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import { withStoreHint } from '../store-hint.ts';
import { replayFile } from '../../recording/replay-file.ts';
import { restoreIntoEtcd } from '../../recording/restore-into-etcd.ts';
import { isSnapshot } from '../../recording/snapshot-file.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { visibleLine } from '../format-rows.ts';
import { markRestore, refuseIncompleteStore } from './restore-mark.ts';

/** The objects with which a control plane begins, from a file. */
export interface FirstObjects {
  /** Fills the store of a data folder before the API server starts, unless it is a recording. */
  fillStore(endpoint: string, prefix: string, dataDir: string): Promise<void>;
  /** Writes a recording to the API server before the controllers start. Returns a line about it. */
  fillServer(settings: ConnectionSettings): Promise<string>;
}

/**
 * Looks at the file of `--from`. Throws CliError if it is a snapshot and objects are kept in the
 * memory of the API server, which is another process.
 */
export async function firstObjects(name: string, store: string, io: CliIo): Promise<FirstObjects> {
  const file = resolve(io.directory, name);
  const hasKeys = await isSnapshot(file);
  if (hasKeys && store === 'memory') {
    throw new CliError(`${name} is a snapshot, which needs a store in etcd`, {
      hint: 'leave out --store=memory, or make a recording with "cl record"',
    });
  }
  return {
    fillStore: async (endpoint, prefix, dataDir) => {
      if (hasKeys) await restore(file, endpoint, { prefix, dataDir }, io);
      else refuseIncompleteStore(dataDir);
    },
    fillServer: async (settings) => (hasKeys ? `those of ${name}` : await replay(file, name, settings, io)),
  };
}

interface RestorePlace {
  readonly prefix: string;
  readonly dataDir: string;
}

async function restore(file: string, endpoint: string, { prefix, dataDir }: RestorePlace, io: CliIo): Promise<void> {
  const etcd = await connectEtcd({ endpoints: [endpoint] });
  try {
    await markRestore(dataDir, () => restoreIntoEtcd(file, etcd, { prefix, signal: io.signal }));
  } catch (error) {
    throw withStoreHint(error, 'leave out --from to go on with the data, or use another --name');
  } finally {
    etcd.close();
  }
}

async function replay(file: string, name: string, settings: ConnectionSettings, io: CliIo): Promise<string> {
  const client = createClient(settings, { userAgent: 'replay' });
  try {
    const onProblem = (problem: string): unknown => io.stderr.write(visibleLine(problem));
    const { written, refused } = await replayFile(client, file, { onProblem }, io.signal);
    return `${written} of ${name}${refused > 0 ? `; ${refused} were refused` : ''}`;
  } finally {
    await client.close();
  }
}

import { resolve } from 'node:path';
import { createClient } from '../../client/client.ts';
import { runtimeJson } from '../../client/runtime-json.ts';
import { connectEtcd, type EtcdClient } from '../../etcd/etcd-client.ts';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import { withStoreHint } from '../store-hint.ts';
import { checkRecording, RecordingError } from '../../recording/recording-file.ts';
import { replayFile } from '../../recording/replay-file.ts';
import { restoreIntoEtcd } from '../../recording/restore-into-etcd.ts';
import { isSnapshot } from '../../recording/snapshot-file.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { visibleLine } from '../format-rows.ts';
import { markRestore, refuseIncompleteStore } from './restore-mark.ts';

/** The objects with which a control plane begins, from a file. */
export interface FirstObjects {
  /**
   * Fills the store of a data folder with a snapshot before the API server starts. Throws
   * CliError if the store has data, for a recording too.
   */
  fillStore(endpoint: string, prefix: string, dataDir: string): Promise<void>;
  /** Writes a recording to the API server before the controllers start. Returns a line about it. */
  fillServer(settings: ConnectionSettings): Promise<string>;
}

/**
 * Looks at the file of `--from`. Throws CliError if it is neither a snapshot nor a recording, or if
 * it is a snapshot and objects are kept in the memory of the API server, which is another process.
 */
export async function firstObjects(name: string, store: string, io: CliIo): Promise<FirstObjects> {
  const file = resolve(io.directory, name);
  const hasKeys = await isSnapshot(file);
  if (hasKeys && store === 'memory') {
    throw new CliError(`${name} is a snapshot, which needs a store in etcd`, {
      hint: 'leave out --store=memory, or make a recording with "cl record"',
    });
  }
  // A server that had started before would leave data, into which the right file would not go.
  if (!hasKeys) await checkRecording(file, runtimeJson).catch(rethrow);
  return {
    fillStore: async (endpoint, prefix, dataDir) => {
      await withEtcd(endpoint, (etcd) =>
        hasKeys ? restore(file, etcd, { prefix, dataDir }, io) : refuseData(name, etcd, dataDir, io),
      );
    },
    fillServer: async (settings) => (hasKeys ? `those of ${name}` : await replay(file, name, settings, io)),
  };
}

interface RestorePlace {
  readonly prefix: string;
  readonly dataDir: string;
}

function rethrow(error: unknown): never {
  if (!(error instanceof RecordingError)) throw error;
  throw new CliError(error.message, { hint: 'make one with "cl record" or "cl snapshot save"', cause: error });
}

async function withEtcd(endpoint: string, use: (etcd: EtcdClient) => Promise<void>): Promise<void> {
  const etcd = await connectEtcd({ endpoints: [endpoint] });
  try {
    await use(etcd);
  } finally {
    etcd.close();
  }
}

async function restore(file: string, etcd: EtcdClient, { prefix, dataDir }: RestorePlace, io: CliIo): Promise<void> {
  try {
    await markRestore(dataDir, () => restoreIntoEtcd(file, etcd, { prefix, signal: io.signal }));
  } catch (error) {
    throw withStoreHint(error, 'leave out --from to go on with the data, or use another --name');
  }
}

/** A replay at each start would put back what was changed since the first one. */
async function refuseData(name: string, etcd: EtcdClient, dataDir: string, { signal }: CliIo): Promise<void> {
  refuseIncompleteStore(dataDir);
  const { count } = await etcd.range('', { limit: 1, signal });
  if (count === 0) return;
  throw new CliError(`the store has ${count} keys; a control plane only begins with a recording on an empty one`, {
    hint: `leave out --from to go on with the data, to which "cl replay ${name}" adds, or use another --name`,
  });
}

async function replay(file: string, name: string, settings: ConnectionSettings, io: CliIo): Promise<string> {
  const client = createClient(settings, { userAgent: 'replay' });
  try {
    let problems = 0;
    const onProblem = (problem: string): void => {
      problems++;
      io.stderr.write(visibleLine(problem));
    };
    const { written, refused } = await replayFile(client, file, { onProblem }, io.signal);
    // The other problems are about lines of the recording.
    const damaged = problems - refused;
    return [
      `${written} of ${name}`,
      ...(refused > 0 ? [`${refused} refused`] : []),
      ...(damaged > 0 ? [`${damaged} damaged ${damaged === 1 ? 'line' : 'lines'} left out`] : []),
    ].join('; ');
  } finally {
    await client.close();
  }
}

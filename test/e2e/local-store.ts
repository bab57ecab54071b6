import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';

/** An etcd of a test's own, in a folder of its own, which can be killed and started again on the same data and port. */
export interface TestEtcd extends AsyncDisposable {
  readonly endpoint: string;
  /** A folder beside the data, removed with it: certificates and the like. */
  readonly directory: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts an etcd on loopback and free ports. */
export async function startTestEtcd(): Promise<TestEtcd> {
  const binary = await findEtcd();
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-e2e-'));
  const dataDir = path.join(directory, 'etcd');
  let etcd = await startLocalEtcd({ binary, dataDir });
  const { endpoint } = etcd;
  const clientPort = Number(new URL(endpoint).port);
  return {
    endpoint,
    directory,
    kill: async () => {
      await etcd.kill();
    },
    start: async () => {
      etcd = await startLocalEtcd({ binary, dataDir, clientPort });
    },
    [Symbol.asyncDispose]: async () => {
      await etcd.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

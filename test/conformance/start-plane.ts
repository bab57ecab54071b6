import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodes } from '../../src/controllers/resources.ts';
import { createClient } from '../../src/client/index.ts';
import { ensureKeyFile } from '../../src/pki/key-files.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';

/** A running control plane with two stand-in nodes. */
interface Plane {
  /** A client config of an administrator. */
  readonly configFile: string;
  stop(): Promise<void>;
}

/** Controllers of nodes that are no machines; the scheduler and the nodes are those of this project. */
const without = {
  '1.21': ['-nodelifecycle', '-nodeipam', '-cloud-node-lifecycle', '-route'],
  '1.36': [
    '-node-lifecycle-controller',
    '-node-ipam-controller',
    '-cloud-node-lifecycle-controller',
    '-node-route-controller',
  ],
} as const;

/**
 * Starts a release. The controllers are those of this project unless a kube-controller-manager is given. Files and logs are in the
 * directory.
 */
export async function startPlane(
  directory: string,
  emulatedRelease: '1.21' | '1.36',
  controllerManager: string | undefined,
): Promise<Plane> {
  const keyFile = path.join(directory, 'service-account.key');
  await ensureKeyFile(keyFile);
  const withNodes = emulatedRelease === '1.36';
  const enabled = [
    ...(controllerManager === undefined ? [] : ['ServiceAccount']),
    ...(withNodes ? ['NodeRestriction'] : []),
  ];
  const server = await startServer({
    store: 'etcd',
    identifiers: 'kubernetes',
    emulatedRelease,
    // Some of the later tests are about the rights of nodes.
    ...(withNodes ? { authorizationMode: ['Node', 'RBAC'] as const } : {}),
    logLevel: 'error',
    controllers: controllerManager === undefined,
    nodes: 2,
    serviceAccountSigningKeyFile: keyFile,
    admissionPlugins: { enabled, disabled: [] },
  });
  const configFile = path.join(directory, 'config');
  await writeFile(configFile, server.clientConfig, { mode: 0o600 });
  await letPodsRun(server);
  const stopManager =
    controllerManager === undefined
      ? undefined
      : startManager(controllerManager, { directory, configFile, keyFile, emulatedRelease });
  const stop = async (): Promise<void> => {
    await stopManager?.();
    await server.stop();
  };
  return { configFile, stop };
}

/** The pods of Jobs run, too: in the tests they wait to be deleted. */
async function letPodsRun(server: TestServer): Promise<void> {
  const client = createClient(server.connection);
  const change = { metadata: { annotations: { 'stand-in.kubernetes.io/pod-outcome': 'Running' } } };
  for (const { metadata } of (await client.resource(nodes).list()).items) {
    await client.resource(nodes).patch(metadata.name, change, { type: 'merge' });
  }
  await client.close();
}

interface ManagerFiles {
  readonly directory: string;
  readonly configFile: string;
  readonly keyFile: string;
  readonly emulatedRelease: keyof typeof without;
}

function startManager(
  program: string,
  { directory, configFile, keyFile, emulatedRelease }: ManagerFiles,
): () => Promise<void> {
  const flags = [
    `--kubeconfig=${configFile}`,
    '--leader-elect=false',
    // Later releases have no other port.
    ...(emulatedRelease === '1.21' ? ['--port=0'] : []),
    '--secure-port=0',
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    `--controllers=*,${without[emulatedRelease].join(',')}`,
    `--service-account-private-key-file=${keyFile}`,
  ];
  const log = openSync(path.join(directory, 'controller-manager.log'), 'w');
  const child = spawn(program, flags, { stdio: ['ignore', log, log] });
  const exited = once(child, 'exit');
  return async () => {
    child.kill();
    await exited;
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { status } from '@grpc/grpc-js';

/** How a plugin behaves. */
export interface PluginBehaviour {
  /** The id of the key that encrypts. */
  readonly keyId: string;
  readonly healthz: string;
  /** The id that a response to `Encrypt` names, if it is not the one of the status. */
  readonly otherKeyId?: string;
  readonly delayMs?: number;
  /** A code of gRPC that every call fails with. */
  readonly failure?: status;
  /** Ids of keys that it has no more. */
  readonly lostKeys?: readonly string[];
}

/** A plugin that runs as a process of its own. */
export interface KmsPlugin {
  behave(behaviour: PluginBehaviour): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL('kms-plugin-program.js', import.meta.url));

/** Starts a plugin that listens on a socket. */
export async function startKmsPlugin(socket: string): Promise<KmsPlugin> {
  const child: ChildProcess = fork(program, [socket], { execArgv: [] });
  await once(child, 'message');
  return {
    async behave(behaviour) {
      child.send(behaviour);
      await once(child, 'message');
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

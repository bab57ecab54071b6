import path from 'node:path';
import { collectWhenIdle } from './collect-when-idle.ts';
import { createServer, type Server } from '../server/create-server.ts';
import { forceFullCollection } from './force-full-collection.ts';
import { loadLazyModules } from '../package/lazy-module.ts';
import { parseFlags } from '../config/parse-flags.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { joinSiblings } from './workers/join-siblings.ts';
import { shareLimits } from './workers/share-limits.ts';
import { workerSlot } from './workers/worker-messages.ts';

function fail(error: unknown): never {
  process.stderr.write(`cl-apiserver: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/**
 * Serves in this process as the flags say until a signal stops it; one of several workers is
 * stopped by the process that started it.
 */
export async function serveUntilStopped(args: readonly string[], workers: number): Promise<void> {
  const options = parseFlags(args);
  let server: Server | undefined;
  let stopping = false;
  const stop = (): void => {
    if (!server) process.exit(0);
    stopping = true;
    server
      .close()
      .then(() => channel?.leave())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  const channel = workerSlot() === undefined ? undefined : joinSiblings(stop);
  const shared = channel ? { ...withOwnLog(shareLimits(options, workers)), siblings: channel.siblings } : options;
  server = await createServer(shared).catch(fail);
  server.refused.catch(fail);
  const stopOrExit = (): void => {
    if (stopping) process.exit(1);
    stop();
  };
  process.on('SIGTERM', stopOrExit);
  // Ctrl-C reaches all processes of a terminal; the first one tells the workers to stop.
  process.on('SIGINT', channel ? () => {} : stopOrExit);
  // A hang-up of all processes replaces workers too, one after the other.
  if (channel) process.on('SIGHUP', () => {});
  // After the handlers: its reader may send a signal at once.
  if (channel) channel.serving(server.url);
  else process.stdout.write(`cl-apiserver: serving on ${server.url}\n`);
  setImmediate(forceFullCollection);
  collectWhenIdle();
  server.started.then(loadAllModules, () => {});
}

/** An upgrade may replace the files of the program while it runs. */
async function loadAllModules(): Promise<void> {
  try {
    await loadLazyModules();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`cl-apiserver: a part of the program cannot be loaded; restart it: ${why}\n`);
  }
}

/** Processes cannot rotate one file, so that each worker has its own: `audit-2.log`. */
function withOwnLog(options: ServerOptions): ServerOptions {
  const { auditLog } = options;
  const slot = workerSlot() ?? '1';
  if (!auditLog || auditLog.path === '-' || slot === '1') return options;
  const { dir, name, ext } = path.parse(auditLog.path);
  return { ...options, auditLog: { ...auditLog, path: path.join(dir, `${name}-${slot}${ext}`) } };
}

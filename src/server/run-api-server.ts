import { forceFullCollection } from './force-full-collection.ts';
import { createServer, type Server } from './create-server.ts';
import { parseFlags } from './parse-flags.ts';

function fail(error: unknown): never {
  process.stderr.write(`cl-apiserver: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/**
 * The program `cl-apiserver`: parses the flags, serves until SIGTERM or SIGINT, and stops
 * gracefully: `/readyz` fails first, watches end, requests drain, exit code 0. A second signal
 * exits immediately with 1. If the server cannot start, one line with the error is printed and the
 * exit code is 1.
 */
export async function runApiServer(args: readonly string[]): Promise<void> {
  const options = parseFlags(args);
  const server: Server = await createServer(options).catch(fail);
  server.refused.catch(fail);
  process.stdout.write(`cl-apiserver: serving on ${server.url}\n`);
  setImmediate(forceFullCollection);

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

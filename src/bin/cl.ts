#!/usr/bin/env node
import { runCli } from '../cli/run-cli.ts';

// A reader that has seen enough (`cl get ... | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The second one does not wait; what runs below this process is ended by the listeners of its exit.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  // Touched only by commands that read it: an open terminal would keep the process alive.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  directory: process.cwd(),
  signal: interrupted.signal,
});

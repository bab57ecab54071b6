#!/usr/bin/env node
import { runCli } from '../cli/commands/run-cli.ts';

// A reader that closes the pipe early (as in `cl get ... | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal exits at once; exit listeners end the child processes.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  // A getter, because an open terminal would keep the process alive: only commands that read it use
  // it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  directory: process.cwd(),
  signal: interrupted.signal,
});

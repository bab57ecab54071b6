#!/usr/bin/env node
import module from 'node:module';
import { runCli } from '../cli/commands/run-cli.ts';

// Node 22.8 and later keeps the compiled code of commands; this file is compiled by then.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early (as in `cl get ... | head`) is not an error.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: the output cannot be written: ${message}\n`, () => process.exit(1));
});
// There is nobody to report it to.
process.stderr.on('error', () => {});

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

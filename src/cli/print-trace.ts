import type { TimedStep } from '../client/server-timing.ts';
import type { TransportRequest } from '../client/transport.ts';
import type { CliIo } from './cli-io.ts';
import { columnWidths, formatRows } from './printers/table.ts';

/** Requests that a command sends to find resources, before the one that it is about. */
const discovery = /^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2})$/;

/** Prints the trace of a request as a table on standard error. Nothing for discovery. */
export function printTrace(io: CliIo, { method, path }: TransportRequest, steps: readonly TimedStep[]): void {
  if (discovery.test(path) || steps.length === 0) return;
  const rows = [
    ['STEP', 'NAME', 'MS', 'DECISION'],
    ...steps.map(({ name, durationMs, description }) => [...nameParts(name), durationMs.toFixed(3), description]),
  ];
  io.stderr.write(`${method} ${path}\n${formatRows(rows, columnWidths(rows))}`);
}

/** `webhook.admit.quota.example.com` is the webhook `admit.quota.example.com`. */
function nameParts(name: string): readonly [kind: string, name: string] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
}

import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadClientConfig } from '../../../outbound/config/load-client-config.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { adminConfigFile } from '../../up/admin-config-file.ts';
import { dataDirOf, knownPlanes, planeArguments } from '../../up/known-planes.ts';
import { findRun, isRunning } from '../../up/run-record.ts';
import { detachedFailure } from '../../up/start-detached.ts';
import type { planeFlags, planeListFlags, planeLogsFlags, resetFlags } from './flags.ts';

const stopTimeoutMs = 60_000;
const pollMs = 50;

/** `cl up status`: the parts of a control plane; exit code 1 if it does not run. */
export async function status({ options, io }: Invocation<typeof planeFlags>): Promise<void> {
  const dataDir = dataDirOf(options, io);
  const run = await findRun(dataDir);
  if (!run) {
    const failure = await detachedFailure(dataDir);
    throw new CliError(
      `no control plane runs on ${dataDir}${failure === undefined ? '' : `; the last one in the background: ${failure}`}`,
      { hint: `start one with "cl up${planeArguments(options)}"` },
    );
  }
  const rows = [
    ['PART', 'PROCESS', 'STATE'],
    ['up', String(run.supervisor), 'running'],
    ...Object.entries(run.parts).map(([name, pid]) => [name, String(pid), isRunning(pid) ? 'running' : 'ended']),
  ];
  io.stdout.write(formatRows(rows, columnWidths(rows)));
  const { server = '', file = '' } = await adminOf(dataDir);
  io.stdout.write(`\nserver         ${server}\nclient config  ${file}\ndata           ${dataDir}\n`);
}

/** `cl up list`: the control planes of this user, and the one below this directory. */
export async function list({ io }: Invocation<typeof planeListFlags>): Promise<void> {
  const rows = [['NAME', 'STATE', 'SERVER', 'DATA']];
  for (const [name, dataDir] of await knownPlanes(io)) {
    const { server } = await adminOf(dataDir);
    if (server === undefined) continue;
    const run = await findRun(dataDir);
    rows.push([name || '-', run ? `process ${run.supervisor}` : 'stopped', server, dataDir]);
  }
  if (rows.length === 1) io.stderr.write('No control planes found.\n');
  else io.stdout.write(formatRows(rows, columnWidths(rows)));
}

/** `cl up down`: stops a control plane and waits for its end; its data stays. */
export async function down({ options, io }: Invocation<typeof planeFlags>): Promise<void> {
  const dataDir = dataDirOf(options, io);
  const run = await findRun(dataDir);
  if (!run) {
    io.stderr.write(`no control plane runs on ${dataDir}\n`);
    return;
  }
  process.kill(run.supervisor, 'SIGTERM');
  const end = performance.now() + stopTimeoutMs;
  while (isRunning(run.supervisor)) {
    if (performance.now() > end) throw new CliError(`process ${run.supervisor} does not end`);
    await sleep(pollMs, undefined, { signal: io.signal });
  }
  io.stdout.write(`stopped the control plane on ${dataDir}\n`);
}

/** Files and folders that `cl up` makes in a data folder. */
const made = /^(?:etcd|pki|logs|restoring|run\.json|audit-policy\.yaml|admin\.(?:crt|key|.*config))$/;

/** `cl up reset`: deletes the data, certificates and logs of a control plane that does not run. */
export async function reset({ options, io }: Invocation<typeof resetFlags>): Promise<void> {
  const dataDir = dataDirOf(options, io);
  const run = await findRun(dataDir);
  if (run) {
    throw new CliError(`it runs as process ${run.supervisor}`, {
      hint: `stop it first with "cl up down${planeArguments(options)}"`,
    });
  }
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => made.test(name));
  if (names.length === 0) throw new CliError(`${dataDir} has no control plane`);
  if (!options.yes && !(await confirmed(`Delete ${names.join(', ')} of ${dataDir}? [y/N] `, io))) {
    throw new CliError('nothing was deleted', { hint: 'answer with y, or use --yes' });
  }
  await Promise.all(names.map((name) => rm(join(dataDir, name), { recursive: true })));
  io.stdout.write(`deleted ${names.join(', ')} of ${dataDir}\n`);
}

async function confirmed(question: string, io: CliIo): Promise<boolean> {
  io.stderr.write(question);
  const lines = createInterface({ input: io.stdin });
  for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
  return false;
}

/** `cl up logs [PART...]`: the last lines of the logs of a control plane, by part. */
export async function logs({ words, options, io }: Invocation<typeof planeLogsFlags>): Promise<void> {
  const folder = join(dataDirOf(options, io), 'logs');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.log'));
  const parts = files.map((name) => name.replace(/\.log$/, ''));
  const unknown = words.find((word) => !parts.includes(word));
  if (unknown !== undefined || parts.length === 0) {
    throw new CliError(`${folder} has no log ${unknown ?? ''}`.trim(), {
      hint: `there are: ${parts.join(', ') || 'none'}`,
    });
  }
  const shown = words.length > 0 ? words : parts;
  const width = Math.max(...shown.map((name) => name.length));
  const print = (name: string, lines: readonly string[]): void => {
    io.stdout.write(lines.map((line) => `${name.padEnd(width)} | ${line}\n`).join(''));
  };
  const readTo = new Map<string, number>();
  for (const name of shown) {
    const text = await readFile(join(folder, `${name}.log`), 'utf8');
    readTo.set(name, Buffer.byteLength(text));
    print(name, text.split('\n').slice(0, -1).slice(-options.tail));
  }
  while (options.follow) {
    await sleep(followMs, undefined, { signal: io.signal });
    for (const name of shown)
      readTo.set(
        name,
        await printNew(join(folder, `${name}.log`), readTo.get(name) ?? 0, (lines) => print(name, lines)),
      );
  }
}

const followMs = 200;

/** Prints the whole lines after a place of a file; returns the place after them. */
async function printNew(file: string, from: number, print: (lines: readonly string[]) => void): Promise<number> {
  const { size } = await stat(file);
  // A file that is shorter has been replaced.
  const start = size < from ? 0 : from;
  if (size === start) return start;
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { start, end: size - 1 }) as AsyncIterable<Buffer>)
    pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== '') print(whole.slice(0, -1).split('\n'));
  return start + Buffer.byteLength(whole);
}

/** The client config that `cl up` wrote last, and the server in it. */
async function adminOf(dataDir: string): Promise<{ readonly file?: string; readonly server?: string }> {
  const file = await adminConfigFile(dataDir);
  if (file === undefined) return {};
  const { server } = await loadClientConfig(file);
  // A folder may have a config that others wrote.
  return { file, server: visibleText(server) };
}

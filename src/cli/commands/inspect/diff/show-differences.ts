import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifierSets, identifiersOf } from '../../../../identifiers/identifiers.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { visibleLines, visibleText } from '../../../format-rows.ts';
import { unifiedDiff } from './unified-diff.ts';

/** An object before and after, as text. */
export interface ComparedObject {
  /** `apps.v1.Deployment.default.web` */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The names of the two states. */
export type Sides = readonly [before: string, after: string];

const liveAndMerged: Sides = ['LIVE', 'MERGED'];

/** Shows the differences, or runs the program of the environment; true if there are any. */
export async function showDifferences(
  objects: readonly ComparedObject[],
  io: CliIo,
  sides: Sides = liveAndMerged,
): Promise<boolean> {
  const names = identifierSets.map((set) => `${identifiersOf(set).commandLine.toUpperCase()}_EXTERNAL_DIFF`);
  const program = names.map((name) => io.env[name]).find(Boolean);
  if (program) return runProgram(program, objects, sides, io);
  const paint = painter(io);
  const changed = objects
    .filter(({ before, after }) => before !== after)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, before, after } of changed) {
    const [one, other] = sides.map((side) => `${side}/${visibleText(name)}`);
    const lines = [`diff -u -N ${one} ${other}`, `--- ${one}`, `+++ ${other}`];
    io.stdout.write([...lines, ...unifiedDiff(before, after)].map((line) => `${paint(visibleLines(line))}\n`).join(''));
  }
  return changed.length > 0;
}

const reset = '\u001b[0m';

/** Colours by the beginning of a line: headings bold, places cyan, removed red, added green. */
const colours: readonly (readonly [start: RegExp, code: string])[] = [
  [/^(diff|---|\+\+\+) /, '\u001b[1m'],
  [/^@@/, '\u001b[36m'],
  [/^-/, '\u001b[31m'],
  [/^\+/, '\u001b[32m'],
];

function painter({ stdout, env }: CliIo): (line: string) => string {
  const isTerminal = 'isTTY' in stdout && stdout.isTTY === true && !env.NO_COLOR;
  return (line) => {
    const colour = isTerminal ? colours.find(([start]) => start.test(line)) : undefined;
    return colour ? `${colour[1]}${line}${reset}` : line;
  };
}

async function runProgram(
  program: string,
  objects: readonly ComparedObject[],
  sides: Sides,
  io: CliIo,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'cl-diff-'));
  try {
    const [one, other] = [join(folder, sides[0]), join(folder, sides[1])];
    await Promise.all([mkdir(one), mkdir(other)]);
    for (const { name, before, after } of objects) {
      await writeFile(join(one, fileName(name)), before, { mode: 0o600 });
      await writeFile(join(other, fileName(name)), after, { mode: 0o600 });
    }
    const [command = '', ...args] = program.split(/\s+/).filter(Boolean);
    const code = await run(command, [...args, one, other], io);
    if (code > 1) throw new CliError(`"${command}" ended with code ${code}`, { exitCode: code });
    return code === 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Most systems take 255 bytes. */
const longestFileName = 200;

/** A server's name as the name of a file in this folder; it cannot lead anywhere else. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[/\\\p{Cc}]/gu, '_');
  if (Buffer.byteLength(plain) <= longestFileName) return plain;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${Buffer.from(plain)
    .subarray(0, longestFileName)
    .toString()
    .replace(/\ufffd+$/, '')}-${digest}`;
}

function run(
  command: string,
  args: readonly string[],
  { directory, env, stdout, stderr, signal }: CliIo,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env, signal, stdio: ['ignore', 'pipe', 'pipe'] } as const;
    const child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(stdout, { end: false });
    child.stderr.pipe(stderr, { end: false });
    child.on('error', (cause) => reject(new CliError(`failed to run "${command}": ${cause.message}`, { cause })));
    child.on('close', (code) => resolve(code ?? 2));
  });
}

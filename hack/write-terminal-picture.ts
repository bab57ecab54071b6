// Writes docs/terminal.svg, the picture of the README: runs commands of docs/getting-started.md in a folder of their own and draws
// what they print. `make verify` compares the commands with the pages; the picture itself is drawn again by hand.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { terminalPicture, type TerminalStep } from './docs/terminal-picture.ts';
import { root } from './source-files.ts';

/** The commands, and how many lines of their output are shown. */
const session: readonly (readonly [command: string, lines: number])[] = [
  ['cl up --detach --nodes=1', 5],
  ['cl create deployment web --image=example.com/web --replicas=2', 1],
  ['cl rollout status deployment web', 9],
  ['cl tree deployment web', 9],
  ['cl history deployment web', 3],
];

const folder = mkdtempSync(path.join(tmpdir(), 'cl-picture-'));
const program = path.join(root, 'dist/bundle/bin/cl.js');

function run(command: string): string {
  const line = `cl() { '${process.execPath}' '${program}' "$@"; }; ${command}`;
  const env = { ...process.env, HOME: folder };
  return execFileSync('bash', ['-c', line], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function stepOf([command, shown]: readonly [string, number]): TerminalStep {
  const lines = run(command)
    .replaceAll(folder, '~/project')
    .trimEnd()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { command, output: lines.length > shown ? [...lines.slice(0, shown), '…'] : lines };
}

try {
  const picture = terminalPicture('A control plane is started and used from a terminal', session.map(stepOf));
  writeFileSync(path.join(root, 'docs/terminal.svg'), picture);
} finally {
  run('cl up down > /dev/null');
  rmSync(folder, { recursive: true });
}

import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { clientConfigText } from '../../../src/testing/client-config-text.ts';
import { programFile } from '../../program-file.ts';
import type { Contender, Figures } from '../figures.ts';
import type { Bench, Scenario } from './scenario.ts';
import { compare } from './scenario.ts';

const run = promisify(execFile);

/** A command line, its counterpart in kubectl, and what it may cost beside `node -e 0`. */
interface CommandLine {
  readonly name: string;
  readonly words: readonly string[];
  /** The words of kubectl, if they are others. */
  readonly theirs?: readonly string[];
  /** How often the CPU of kubectl it may take, and that of `node -e 0` where there is no kubectl. */
  readonly bars?: readonly [ofKubectl: number, ofNode: number];
  /** By how many microseconds it may exceed the CPU of `node -e 0`. */
  readonly surplus?: number;
  /** True if each turn is the second of two runs, which uses what the first one kept. */
  readonly isAgain?: true;
  /** True if each turn finds no names that an earlier one kept. */
  readonly isFirst?: true;
}

/** A tenth of a second, which nobody notices at a prompt. */
const unnoticedMicros = 100_000;

/** kubectl takes 0.3 s where `node -e 0` takes 0.17. */
const getBars = [1.3, 2.35] as const;
/** Names that are kept for seconds. */
const keptMicros = 150_000;

const completion = ['__complete', 'get', 'pods', ''];

const lines: readonly CommandLine[] = [
  { name: 'get pod x', words: ['get', 'pod', 'x'], bars: getBars },
  { name: '--help', words: ['--help'], surplus: unnoticedMicros },
  { name: 'completion of a command', words: ['__complete', 'get', '--all'], surplus: unnoticedMicros },
  { name: 'completion of a kept name', words: completion, surplus: keptMicros, isAgain: true },
  { name: 'completion of a name that is asked for', words: completion, isFirst: true },
];

/** Turns of one round: the start of a program varies by a tenth, and what else the machine does by more. */
const turnsOfRound = 7;

/** The programs with their client config and folder. */
interface Programs {
  readonly home: string;
  readonly kubectl: string | undefined;
}

/** The command line: CPU and time of whole runs, beside `node -e 0` and kubectl in the same run. */
export const cli: Scenario = {
  name: 'cli',
  run: async (bench) => {
    const programs = await prepare(bench);
    const { rounds } = bench.lab.settings;
    const { kubectl } = programs;
    for (const line of lines) {
      const { name, words, theirs = words, bars, surplus } = line;
      const found = await compare(rounds * turnsOfRound, 'cpuMicros', {
        ours: () => measureLine(programs, line),
        bare: () => measureOnce(programs, [process.execPath, '-e', '0']),
        ...(kubectl === undefined ? {} : { peer: () => measureOnce(programs, [kubectl, ...theirs]) }),
      });
      // A bar is beside the bare program: of a command that kubectl has, that is kubectl.
      const isBeside = bars !== undefined && found.peer !== undefined;
      const figures = isBeside ? { ...found, bare: found.peer, peer: found.bare ?? {} } : found;
      const roles = isBeside ? "'bare' is kubectl, the peer node -e 0" : "'bare' is node -e 0, the peer kubectl";
      const note = kubectl === undefined ? "'bare' is node -e 0; no kubectl was found" : roles;
      const bar = bars?.[isBeside ? 0 : 1];
      bench.report({ scenario: `cli, ${name}`, figures, compared: 'cpuMicros', note, ...limits(bar, surplus) });
    }
    await applyMany(bench, programs);
  },
};

/** One run of ours, after what has to be so before it. */
async function measureLine(programs: Programs, { words, isAgain, isFirst }: CommandLine): Promise<Figures> {
  const line = [process.execPath, programFile('cl'), ...words];
  if (isAgain) await measureOnce(programs, line);
  if (isFirst) await rm(path.join(programs.home, '.cl', 'cache', 'names'), { recursive: true, force: true });
  return measureOnce(programs, line);
}

function limits(bar: number | undefined, surplus: number | undefined) {
  return { ...(bar === undefined ? {} : { bar }), ...(surplus === undefined ? {} : { surplus }) };
}

/** No controllers run, which would make the account. */
const podManifest = `apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
apiVersion: v1
kind: Pod
metadata: {name: x}
spec: {containers: [{name: a, image: i}]}
`;

/** A folder as the home of a user, with the config of the server and a pod `x`. */
async function prepare({ lab }: Bench): Promise<Programs> {
  const home = path.join(lab.directory, 'home');
  await mkdir(path.join(home, '.kube'), { recursive: true });
  const { url: server, headers } = lab.ours;
  const token = String(headers['authorization']).replace(/^Bearer /, '');
  const ca = await readFile(path.join(lab.directory, 'pki', 'ca.crt'), 'utf8');
  const config = clientConfigText({ server, token, ca });
  await writeFile(path.join(home, '.kube', 'config'), config, { mode: 0o600 });
  const kubectl = await run('hack/kubectl.sh').then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  const programs = { home, kubectl };
  await writeFile(path.join(home, 'pod.yaml'), podManifest);
  await measureOnce(programs, [process.execPath, programFile('cl'), 'apply', '-f', 'pod.yaml']);
  return programs;
}

const objects = 1000;

/** Creates a thousand objects from one file, each program its own; the time counts, as people wait for it. */
async function applyMany({ lab, report }: Bench, programs: Programs): Promise<void> {
  const count = lab.settings.quick ? objects / 10 : objects;
  let turn = 0;
  const apply = async (program: readonly string[]): Promise<Figures> => {
    const prefix = `applied-${turn++}`;
    // Each in a namespace of its own, as an application is: what the turns before made is no part of it.
    const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${prefix}}`;
    const items = Array.from({ length: count }, (_, at) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${prefix}-${at}`, namespace: prefix },
      data: { key: 'v'.repeat(200), other: String(at) },
    }));
    const text = [namespace, ...items.map((item) => JSON.stringify(item))].join('\n---\n');
    await writeFile(path.join(programs.home, `${prefix}.yaml`), text);
    return measureOnce(programs, [...program, 'apply', '-f', `${prefix}.yaml`]);
  };
  const { kubectl } = programs;
  const note = kubectl === undefined ? 'no kubectl was found' : "'bare' is kubectl";
  const figures: Partial<Record<Contender, Figures>> = await compare(lab.settings.rounds, 'p50Ms', {
    ours: () => apply([process.execPath, programFile('cl')]),
    ...(kubectl === undefined ? {} : { bare: () => apply([kubectl]) }),
  });
  report({ scenario: `cli, apply of ${count} objects`, figures, compared: 'p50Ms', bar: 1, note });
}

/** Runs a program to its end. The shell tells its CPU, user and system, that of its threads included. */
async function measureOnce({ home }: Programs, line: readonly string[]): Promise<Figures> {
  const script = 'TIMEFORMAT=\'%3R %3U %3S\'; time "$@" > out 2> err < /dev/null || { cat err >&2; exit 1; }';
  const env = { HOME: home, PATH: process.env['PATH'] };
  const { stderr } = await run('bash', ['-c', script, 'bash', ...line], { cwd: home, env });
  const [seconds, user, system] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { p50Ms: (seconds ?? Number.NaN) * 1e3, cpuMicros: ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1e6 };
}

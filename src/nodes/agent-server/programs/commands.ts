import { posix } from 'node:path';
import { pause } from '../../../async/timers.ts';
import type { CommandCall, CommandRunner } from './command-call.ts';
import { tar } from './tar.ts';

const absolute = (path: string): string => posix.resolve('/', path);

/** The arguments that are no options. */
function pathsOf({ words }: CommandCall): readonly string[] {
  return words.slice(1).filter((word) => !word.startsWith('-') || word === '-');
}

/** Does something with each path; an error is a line of stderr and the exit code 1. */
async function eachPath(call: CommandCall, act: (path: string) => Promise<void> | void): Promise<number> {
  let code = 0;
  for (const path of pathsOf(call)) {
    try {
      await act(path);
    } catch (error) {
      code = 1;
      await call.err(`${call.words[0]}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  return code;
}

async function echo({ words, out }: CommandCall): Promise<number> {
  const isBare = words[1] === '-n';
  await out(`${words.slice(isBare ? 2 : 1).join(' ')}${isBare ? '' : '\n'}`);
  return 0;
}

async function cat(call: CommandCall): Promise<number> {
  const copy = async (): Promise<void> => {
    for await (const chunk of call.stdin) await call.out(chunk);
  };
  if (pathsOf(call).length > 0) {
    return await eachPath(call, (path) => (path === '-' ? copy() : call.out(call.files.read(path))));
  }
  await copy();
  return 0;
}

async function ls(call: CommandCall): Promise<number> {
  const { files, out } = call;
  const list = async (path: string): Promise<void> => {
    if (!files.get(path)) throw new Error(`${path}: No such file or directory`);
    const names = files.isFolder(path) ? files.list(path) : [path];
    await out(names.map((name) => `${name}\n`).join(''));
  };
  if (pathsOf(call).length > 0) return await eachPath(call, list);
  await list('/');
  return 0;
}

async function env({ env: values, out }: CommandCall): Promise<number> {
  await out([...values].map(([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
}

async function printenv(call: CommandCall): Promise<number> {
  const [, name] = call.words;
  if (name === undefined) return await env(call);
  const value = call.env.get(name);
  if (value !== undefined) await call.out(`${value}\n`);
  return value === undefined ? 1 : 0;
}

async function sleep({ words, err, signal }: CommandCall): Promise<number> {
  const [, text = ''] = words;
  const seconds = text === 'infinity' ? 24 * 3600 : Number(/^(\d+(\.\d+)?)s?$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(seconds)) {
    await err(`sleep: invalid time interval '${text}'\n`);
    return 1;
  }
  await pause(Math.min(seconds, 24 * 3600) * 1000, signal);
  return signal.aborted ? 137 : 0;
}

/** `test` as far as copies and scripts use it: files, and comparisons of texts. */
async function test({ words, files }: CommandCall): Promise<number> {
  const [first = '', second = '', third] = words.slice(1).filter((word) => word !== ']');
  const unary: Readonly<Record<string, boolean>> = {
    '-d': files.isFolder(second),
    '-e': files.get(second) !== undefined,
    '-f': files.get(second)?.bytes !== undefined,
    '-n': second !== '',
    '-z': second === '',
  };
  const isTrue = third === undefined ? (unary[first] ?? first !== '') : (first === third) === (second !== '!=');
  return isTrue ? 0 : 1;
}

const say =
  (text: (call: CommandCall) => string): CommandRunner =>
  async (call) => {
    await call.out(`${text(call)}\n`);
    return 0;
  };

/** The commands that every stand-in container has, besides the shell and the table of its pod. */
export const commands: ReadonlyMap<string, CommandRunner> = new Map<string, CommandRunner>([
  ['[', test],
  ['cat', cat],
  ['date', say(() => new Date().toISOString())],
  ['echo', echo],
  ['env', env],
  ['false', async () => 1],
  ['hostname', say(({ env: values }) => values.get('HOSTNAME') ?? '')],
  ['ls', ls],
  ['mkdir', (call) => eachPath(call, (path) => call.files.makeFolder(absolute(path)))],
  ['printenv', printenv],
  ['pwd', say(() => '/')],
  ['rm', (call) => eachPath(call, (path) => call.files.remove(path))],
  ['sleep', sleep],
  ['stty', say(({ size }) => `${size().rows} ${size().columns}`)],
  ['tar', tar],
  ['test', test],
  ['touch', (call) => eachPath(call, (path) => call.files.write(path, call.files.get(path)?.bytes ?? Buffer.alloc(0)))],
  ['true', async () => 0],
  ['whoami', say(() => 'root')],
]);

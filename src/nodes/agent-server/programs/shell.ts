import { posix } from 'node:path';
import type { CommandCall, CommandRunner } from './command-call.ts';
import { inputLines } from './input-lines.ts';
import { noInput } from './program-call.ts';
import { type ShellToken, shellTokens } from './shell-words.ts';

/** The most bytes that a pipe or a redirection holds. */
const pipeLimit = 4 * 1024 * 1024;

/** Runs `sh`: the line after `-c`, or the lines of the input, with a prompt on a terminal. */
export async function runShell(call: CommandCall, run: CommandRunner): Promise<number> {
  const [, option = '', line = ''] = call.words;
  if (/^-[a-z]*c$/.test(option)) return (await runLine(line, call, run)).code;
  let code = 0;
  const prompt = `${call.env.get('HOSTNAME') ?? ''}:/# `;
  if (call.tty) await call.out(prompt);
  // A program that reads would take the next lines of the shell, as it does in a real one.
  for await (const each of inputLines(call)) {
    const end = await runLine(each, { ...call, stdin: noInput() }, run, code);
    code = end.code;
    if (end.exited) return code;
    if (call.tty) await call.out(prompt);
  }
  return code;
}

interface LineEnd {
  readonly code: number;
  /** True after `exit`. */
  readonly exited: boolean;
}

async function runLine(line: string, call: CommandCall, run: CommandRunner, last = 0): Promise<LineEnd> {
  let code = last;
  try {
    const tokens = shellTokens(line, (name) => (name === '?' ? String(code) : (call.env.get(name) ?? '')));
    let pipe: string[][] = [[]];
    let skipped = false;
    for (const { text, isOperator } of withEnd(tokens)) {
      if (!isOperator || isRedirection(text)) {
        pipe.at(-1)?.push(isOperator ? `${redirectionMark}${text}` : text);
        continue;
      }
      if (text === '|') {
        pipe.push([]);
        continue;
      }
      const [first] = pipe;
      if (first && first.length > 0 && !skipped) {
        if (first[0] === 'exit') return { code: Number(first[1] ?? code) & 255, exited: true };
        code = await runPipe(pipe, call, run);
      }
      if (text !== ';') skipped = text === '&&' ? code !== 0 : code === 0;
      else skipped = false;
      pipe = [[]];
      call.signal.throwIfAborted();
    }
  } catch (error) {
    await call.err(`sh: ${error instanceof Error ? error.message : String(error)}\n`);
    code = 2;
  }
  return { code, exited: false };
}

function* withEnd(tokens: Iterable<ShellToken>): Generator<ShellToken> {
  yield* tokens;
  yield { text: ';', isOperator: true };
}

/** Not a character of a word: words have no zero bytes. */
const redirectionMark = '\0';

function isRedirection(text: string): boolean {
  return text === '>' || text === '>>' || text === '<';
}

async function runPipe(pipe: readonly (readonly string[])[], call: CommandCall, run: CommandRunner): Promise<number> {
  let stdin = call.stdin;
  let code = 0;
  for (const [index, words] of pipe.entries()) {
    const isLast = index === pipe.length - 1;
    const held = new Held();
    code = await runRedirected(words, { ...call, stdin, out: isLast ? call.out : held.add }, run);
    stdin = held.read();
  }
  return code;
}

async function runRedirected(words: readonly string[], call: CommandCall, run: CommandRunner): Promise<number> {
  const plain: string[] = [];
  let { stdin } = call;
  let target: { readonly path: string; readonly append: boolean } | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith(redirectionMark)) {
      plain.push(word);
      continue;
    }
    const path = posix.resolve('/', words[++at] ?? '');
    if (word.endsWith('<')) stdin = once(call.files.read(path));
    else target = { path, append: word.endsWith('>>') };
  }
  if (!target) return await run({ ...call, stdin, words: plain });
  const held = new Held();
  const code = await run({ ...call, stdin, words: plain, out: held.add });
  const before = target.append && call.files.get(target.path) ? call.files.read(target.path) : Buffer.alloc(0);
  if (target.path !== '/dev/null') call.files.write(target.path, Buffer.concat([before, held.bytes()]));
  return code;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The output of a program until another one reads it. */
class Held {
  readonly #parts: Buffer[] = [];
  #size = 0;

  readonly add = async (data: string | Uint8Array): Promise<void> => {
    const bytes = Buffer.from(data);
    this.#size += bytes.length;
    if (this.#size > pipeLimit) throw new Error('a pipe of a stand-in container holds at most 4 MiB');
    this.#parts.push(bytes);
  };

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  async *read(): AsyncGenerator<Buffer> {
    yield this.bytes();
  }
}

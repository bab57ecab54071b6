import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { until } from '../http/until.ts';

/** The program of util-linux that makes a terminal, which not every system has. */
const maker = '/usr/bin/script';

/** True if this system can make terminals. */
export const hasTerminals = existsSync(maker);

/** A line of a shell that runs in a terminal of its own. */
export interface Terminal {
  /** What is on the terminal so far, with the codes that control it. */
  readonly text: () => string;
  /** Waits until a text is there, and returns what matches. */
  readonly see: (pattern: RegExp) => Promise<string>;
  readonly type: (keys: string) => void;
  /** The exit code of the line. */
  readonly code: Promise<number>;
}

interface TerminalSetting {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts a line in a terminal of 100 columns and 12 rows. */
export function startInTerminal(line: string, { directory, env = {} }: TerminalSetting): Terminal {
  const { NO_COLOR: _, ...inherited } = process.env;
  const child = spawn(maker, ['-qec', `stty cols 100 rows 12; ${line}`, '/dev/null'], {
    cwd: directory,
    env: { ...inherited, HOME: directory, TERM: 'xterm', SHELL: '/bin/sh', ...env },
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = once(child, 'close').then(([ended]) => Number(ended));
  return {
    text: () => text,
    async see(pattern) {
      await until(`the terminal shows ${String(pattern)}`, () => pattern.test(text)).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(text)}`);
      });
      return pattern.exec(text)?.[0] ?? '';
    },
    type: (keys) => void child.stdin.write(keys),
    code,
  };
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Outcome, runCl } from '../../http/cl/cl-runner.ts';
import type { CommandLine } from './read-lines.ts';

/** Runs a line in a folder that has the client config `config`. */
export type Program = (line: CommandLine) => Promise<Outcome>;

/** The lines are written for this minor version of kubectl and those after it. */
const leastMinor = 34;

/** A table takes minutes on a machine that has much else to do. */
export const longestMs = 900_000;

/** The newest kubectl that the tests find; undefined, and a line says so, if it is too old to be compared with. */
export async function newestKubectl(): Promise<string | undefined> {
  const run = promisify(execFile);
  const file = (await run('hack/kubectl.sh', ['newest'])).stdout.trim();
  const { stdout } = await run(file, ['version', '--client', '-o', 'json']);
  const { clientVersion } = JSON.parse(stdout) as { readonly clientVersion: { readonly minor: string } };
  if (Number.parseInt(clientVersion.minor, 10) >= leastMinor) return file;
  console.log(`nothing is compared with kubectl: ${file} is older than 1.${leastMinor}`);
  return undefined;
}

/** `cl`, in this process. */
export function clIn(directory: string): Program {
  return ({ words, input }) => {
    const stdin = input === undefined ? Readable.from([]) : createReadStream(path.join(directory, input));
    return runCl(words, { directory, stdin });
  };
}

/** A kubectl. */
export function kubectlIn(file: string, directory: string): Program {
  return async ({ words, input }) => {
    const env = { HOME: directory, PATH: process.env.PATH };
    const child = spawn(file, ['--kubeconfig', 'config', ...words], { env, cwd: directory });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    // A program that fails early does not read its input.
    child.stdin.on('error', () => {});
    if (input === undefined) child.stdin.end();
    else createReadStream(path.join(directory, input)).pipe(child.stdin);
    const [code] = (await once(child, 'close')) as [number];
    return { code, out, err };
  };
}

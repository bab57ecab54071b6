import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type CodeBlock, readPage } from '../../hack/docs/markdown.ts';
import { type ShellLine, shellLines } from '../../hack/docs/shell-lines.ts';
import { sourceFiles } from '../../hack/source-files.ts';
import { findEtcd } from '../../src/etcd/local-etcd.ts';
import { linkPackage, unpackPackage } from './example-projects.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A command of a page, with its output, and what the page says of it. */
export interface PageCommand {
  /** The heading of its section. */
  readonly task: string;
  readonly command: ShellLine;
  readonly output: string;
  readonly exitCode: number | undefined;
}

/** A page that was followed. */
export interface FollowedSession {
  readonly commands: readonly PageCommand[];
  /** The responses that the reader's browser got, each with its path and status; empty if none was opened. */
  readonly seen: string;
}

/** The packages that a reader may install. */
export async function packPackages(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-packages-'));
  const installed = path.join(directory, '.package');
  await unpackPackage(installed);
  await linkPackage(directory, 'cl-apiserver', [installed]);
  for (const name of ['yaml', 'typescript', '@types/node']) await linkPackage(directory, name, [root]);
  return directory;
}

/** The text of the marks that enclose the output of a command. */
const mark = '@@page@@';

/**
 * Follows a page in a new folder and a new home: writes its files and runs its commands in the order
 * of the page, in one shell. `npm install` links packages that are installed here, because the
 * version of this tree is in no registry.
 */
export async function followPage(page: string, packages: string): Promise<FollowedSession> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-page-'));
  const source = sourceFiles('docs', '.md').find((file) => file.path === `docs/${page}.md`);
  if (source === undefined) throw new Error(`no page ${page}`);
  const { blocks, prose } = readPage(source);
  const taskAt = (line: number): string =>
    prose
      .slice(0, line)
      .findLast((text) => text.startsWith('## '))
      ?.slice(3) ?? '';
  const commands = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text, line }) => shellLines(text, line));
  const script = [prelude, ...blocks.map(scriptOf), ending].join('\n');
  try {
    await mkdir(path.join(directory, 'home'));
    await mkdir(path.join(directory, 'project'));
    await mkdir(path.join(directory, 'programs'));
    for (const name of ['xdg-open', 'open']) {
      await writeFile(path.join(directory, 'programs', name), browser, { mode: 0o755 });
    }
    await writeFile(path.join(directory, 'script.sh'), script);
    const output = await runScript(directory, packages);
    const seen = await readFile(path.join(directory, 'home/seen'), 'utf8').catch(() => '');
    const results = commands.map((command) => ({
      task: taskAt(command.line),
      command,
      ...resultOf(output, command.line),
    }));
    return { commands: results, seen };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const prelude = `
shopt -s expand_aliases
npm() {
  if [ "$1" != install ]; then command npm "$@"; return; fi
  shift
  mkdir -p node_modules/.bin
  for name; do
    case $name in -*) continue ;; esac
    name=\${name%@latest}
    name=\${name%@[0-9]*}
    [ -d "$PACKAGES/node_modules/$name" ] || { echo "no package $name here"; return 1; }
    mkdir -p "node_modules/$(dirname "$name")"
    ln -sfn "$PACKAGES/node_modules/$name" "node_modules/$name"
  done
  for program in "$PACKAGES"/node_modules/.bin/*; do ln -sfn "$program" "node_modules/.bin/$(basename "$program")"; done
}
until_seen() { for _ in {1..600}; do [ -e "$HOME/seen" ] && break; sleep 0.1; done; }`;

/**
 * The browser of the reader: opens the link as a browser does, goes on to the page with the cookie,
 * and keeps what it got.
 */
const browser = `#!/usr/bin/env node
const { renameSync, writeFileSync } = require('node:fs');
const [, , link] = process.argv;
async function open() {
  const { headers } = await fetch(link);
  const [cookie] = headers.getSetCookie()[0].split(';');
  const read = async (path) => {
    const response = await fetch(new URL(path, link), { headers: { cookie } });
    return [path, response.status, await response.text()].join(' ');
  };
  const seen = [await read('/dashboard'), await read('/api/v1/namespaces')];
  writeFileSync(process.env.HOME + '/seen.part', seen.join('\\n'));
  renameSync(process.env.HOME + '/seen.part', process.env.HOME + '/seen');
}
open();
`;

/** Commands that serve until Ctrl-C; they are stopped when the browser has seen the page. */
const serves = /^cl dashboard /;

/** A page may take less than its test. */
const timeoutMs = 170_000;

/** Nothing may outlive the page, whatever fails in it. */
const ending = `
./node_modules/.bin/cl up down > /dev/null 2>&1
kill $(jobs -p) 2> /dev/null
wait`;

/** A block as lines of the script: a file, or commands with marks around their output. */
function scriptOf({ language, settings: { file }, text, line }: CodeBlock): string {
  if (file !== undefined) return `cat > ${file} <<'${mark}'\n${text}\n${mark}`;
  if (language !== 'console') return '';
  const lines = shellLines(text, line).map((each) => {
    const word = /<<-?\s*['"]?(\w+)/.exec(each.text)?.[1];
    const input = word === undefined ? '' : `\n${each.input}${word}`;
    if (serves.test(each.text)) {
      return `echo '${mark} ${each.line}'\n${each.text} &\nuntil_seen; kill $!; wait $!\necho "${mark} ended 0"`;
    }
    return `echo '${mark} ${each.line}'\n${each.text}${input}\necho "${mark} ended $?"`;
  });
  return lines.join('\n');
}

async function runScript(directory: string, packages: string): Promise<string> {
  const etcd = path.dirname(await findEtcd());
  const env = {
    PATH: [path.join(directory, 'programs'), etcd, path.dirname(process.execPath), process.env['PATH']].join(
      path.delimiter,
    ),
    HOME: path.join(directory, 'home'),
    PACKAGES: packages,
  };
  const project = path.join(directory, 'project');
  const script = path.join(directory, 'script.sh');
  // A group of its own, which can be ended as a whole.
  const shell = spawn('bash', ['-c', `. ${script} 2>&1`], {
    cwd: project,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = (): void => endGroup(shell.pid);
  const limit = setTimeout(end, timeoutMs);
  const [output] = await Promise.all([textOf(shell.stdout), once(shell, 'exit')]);
  clearTimeout(limit);
  end();
  return output;
}

/** Ends all processes of a group. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // The last of them has ended.
  }
}

function resultOf(output: string, line: number): Pick<PageCommand, 'output' | 'exitCode'> {
  const [, after = ''] = output.split(`${mark} ${line}\n`);
  const [own = '', rest = ''] = after.split(`${mark} ended `);
  const code = /^\d+/.exec(rest)?.[0];
  return { output: own, exitCode: code === undefined ? undefined : Number(code) };
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spellSignerFlags } from '../../src/controllers/certificates/spell-signer-flags.ts';
import { spellNodeAgentFlags } from '../../src/config/flags/node-agent-flags.ts';
import { root } from '../source-files.ts';
import type { CodeBlock, Page } from './markdown.ts';
import { type ArgumentCheck, knownFlags, programChecks } from './program-flags.ts';
import { commandsIn, shellLines, type ShellCommand } from './shell-lines.ts';

/** Programs that every reader has, or that a page says how to get. Their flags are not known here. */
const otherPrograms = new Set(
  (
    'alias apt-get awk base64 brew cat cd chmod cp curl cut diff docker dnf echo env export false for gh git grep ' +
    'head helm install jest jq kill kind kwok less ln ls mkdir mktemp mocha mv nc node openssl podman printf prometheus promtool ps pwd ' +
    'read rm sh sed sha256sum sleep sort source systemctl journalctl tail tar tee test touch tr true trap tsc tsx unset ' +
    'useradd until vi vitest wait watch wc which while xargs done etcd etcdctl cosign kcp'
  ).split(' '),
);

/** Languages of blocks whose lines are commands. */
export const shellLanguages: ReadonlySet<string> = new Set(['console', 'sh', 'bash', 'shell']);

const npmCommands = /^(?:i|install|ci|init|exec|pack|link|audit|uninstall|update|view|pkg|test|start|create|publish)$/;

interface Context {
  readonly page: Page;
  readonly targets: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
}

/** The targets of the Makefile. */
function makeTargets(): ReadonlySet<string> {
  const makefile = readFileSync(path.join(root, 'Makefile'), 'utf8');
  return new Set([...makefile.matchAll(/^([a-z0-9-]+):/gm)].map(([, name = '']) => name));
}

/** The npm scripts of the package and of its examples. */
function npmScripts(): ReadonlySet<string> {
  const examples = path.join(root, 'examples');
  const folders = existsSync(examples) ? readdirSync(examples).map((name) => path.join(examples, name)) : [];
  const manifests = [root, ...folders].map((folder) => path.join(folder, 'package.json')).filter(existsSync);
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  return new Set(manifests.flatMap((file) => Object.keys(read(file).scripts ?? {})));
}

/** A finding for each command of blocks and code spans that its program does not have. */
export async function findUnknownCommands(pages: readonly Page[]): Promise<string[]> {
  const [targets, scripts] = [makeTargets(), npmScripts()];
  const flags = await knownFlags();
  const findings = pages.map(async (page) => {
    const context = { page, targets, scripts };
    const inBlocks = page.blocks.flatMap(commandsOfBlock);
    const faults = [...inBlocks, ...commandsOfSpans(page)].map(async (command) => {
      const fault = await faultOf(command.words, context);
      return fault === undefined ? [] : [`${page.path}:${command.line}: ${command.words.join(' ')}: ${fault}`];
    });
    return [...(await Promise.all(faults)).flat(), ...unknownFlagSpans(page, flags)];
  });
  return (await Promise.all(findings)).flat();
}

/** The commands of a block; of one without a language those lines that begin with a program. */
function commandsOfBlock({ language, marks, text, line }: CodeBlock): ShellCommand[] {
  if (marks.has('unchecked')) return [];
  const isShell = shellLanguages.has(language);
  if (!isShell && (language !== '' || !startsWithProgram(text))) return [];
  return shellLines(text, line).flatMap((each) => (isShell || startsWithProgram(each.text) ? commandsIn(each) : []));
}

function startsWithProgram(text: string): boolean {
  const line = text.split('\n').find((each) => !/^\s*(?:#|$)/.test(each)) ?? '';
  const [word = ''] = line.replace(/^(?:\w+=\S* +)+/, '').split(/\s/);
  return (
    Object.hasOwn(programChecks, word) || Object.hasOwn(tools, word) || (word !== 'for' && otherPrograms.has(word))
  );
}

/** The code spans of the text that are commands: `cl why`, `make run`. */
function commandsOfSpans({ prose }: Page): ShellCommand[] {
  return prose.flatMap((text, index) =>
    [...text.matchAll(/`((?:cl|cl-apiserver|cl-controller-manager|kubectl|make|npm run|npx) [^`]+)`/g)].flatMap(
      ([, span = '']) => commandsIn({ line: index + 1, text: span }),
    ),
  );
}

/** A finding for each code span that begins with a flag of no program: `--nodes=2`. */
function unknownFlagSpans({ path: page, prose }: Page, known: ReadonlySet<string>): string[] {
  return prose.flatMap((text, index) => {
    const names = [...text.matchAll(/`--([a-z][a-z0-9-]*)(?=[=` ])/g)].map(([, name = '']) => name);
    const unknown = names.filter(
      (name) => !known.has(withoutDashes(spellSignerFlags(spellNodeAgentFlags([`--${name}`])))),
    );
    return unknown.map((name) => `${page}:${index + 1}: --${name}: a flag of no program that is known here`);
  });
}

function withoutDashes([flag = '']: readonly string[]): string {
  return flag.slice(2);
}

/** Programs that start others or run parts of the project. */
const tools: Readonly<Record<string, (args: readonly string[], context: Context) => Promise<string | undefined>>> = {
  make: async (args, { targets }) => {
    const unknown = args.filter((arg) => /^[a-z][\w-]*$/.test(arg) && !targets.has(arg));
    if (unknown.length > 0) return `no target ${unknown.join(', ')} in the Makefile`;
    const given = args.find((arg) => arg.startsWith('ARGS='))?.slice('ARGS='.length);
    return args.includes('run') && given ? checkOf('cl')(['up', ...given.split(' ')]) : undefined;
  },
  npm: async ([verb = '', name = ''], { scripts }) => {
    if (verb === 'run') return scripts.has(name) ? undefined : `no package.json here has a script ${name}`;
    return npmCommands.test(verb) ? undefined : `npm has no command ${verb}`;
  },
  npx: async (args) => {
    const isOption = (arg: string, at: number): boolean =>
      arg.startsWith('-') || /^(?:-p|--package)$/.test(args[at - 1] ?? '');
    const options = args.findIndex((arg, at) => !isOption(arg, at));
    const [name = '', ...rest] = args.slice(options).filter((arg) => arg !== '--');
    const [program = name] = /^(?:cl-apiserver|cl)(?=@|$)/.exec(name) ?? [];
    return Object.hasOwn(programChecks, program) ? checkOf(program)(rest) : undefined;
  },
  node: async (args, { page }) => {
    const at = args.findIndex((arg) => /\.[cm]?[jt]s$/.test(arg));
    const file = args[at];
    if (file === undefined) return undefined;
    const [, program] = /^(?:.*\/)?dist\/bundle\/bin\/([\w-]+)\.js$/.exec(file) ?? [];
    if (program !== undefined) return checkOf(program)(args.slice(at + 1));
    return isFileOf(page, file) ? undefined : `no file ${file}`;
  },
};

function checkOf(program: string): ArgumentCheck {
  return programChecks[program] ?? (async () => `no program ${program}`);
}

/** A file of the repository, beside the page, or one that a block of the page shows. */
function isFileOf({ path: page, blocks }: Page, file: string): boolean {
  const source = file.replace(/^dist\/(hack|test)\/(.*)\.js$/, '$1/$2.ts');
  const compiled = file.replace(/^dist\/(.*)\.js$/, '$1.ts');
  const isShown = blocks.some(({ settings }) => [file, compiled].includes(settings['file'] ?? ''));
  return isShown || existsSync(path.join(root, source)) || existsSync(path.join(root, path.dirname(page), file));
}

async function faultOf([program = '', ...args]: readonly string[], context: Context): Promise<string | undefined> {
  const missing = args.find((arg) => /^dist\/(?:hack|test)\/[\w./-]+\.js$/.test(arg) && !isFileOf(context.page, arg));
  if (missing !== undefined) return `no file ${missing}`;
  const tool = tools[program];
  if (tool) return tool(args, context);
  if (Object.hasOwn(programChecks, program)) return checkOf(program)(args);
  const isOther = otherPrograms.has(program) || /[/$]/.test(program);
  return isOther ? undefined : 'not a program that hack/docs/check-commands.ts lists';
}

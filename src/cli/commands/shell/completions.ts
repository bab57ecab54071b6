import type { CliIo } from '../../cli-io.ts';
import type { ConfigList } from '../../client-config-files/config-entries.ts';
import type { Command } from '../../command.ts';
import type { GlobalOptions } from '../../global-flags.ts';

/** A text that completes a word, and what it is. */
interface CompletionItem {
  readonly text: string;
  readonly help?: string;
}

/** The completions of a word, and bits for the shell: 2 is no space after it, 4 no files. */
export interface Completions {
  readonly items: readonly CompletionItem[];
  readonly directive: number;
}

/** The place of a word that is completed. */
export interface CompletionScope {
  readonly io: CliIo;
  readonly options: GlobalOptions;
  readonly command: Command | undefined;
  /** The words before it that are no flags. */
  readonly words: readonly string[];
  readonly current: string;
}

const noSpace = 2;
const noFiles = 4;

/** No completions. */
export const nothing: Completions = Object.freeze({ items: [], directive: noFiles });
/** The files of this machine. */
export const files: Completions = Object.freeze({ items: [], directive: 0 });

/** Completions of which one is chosen. */
export function fit(items: readonly CompletionItem[]): Completions {
  const isPart = items.length > 0 && items.every(({ text }) => /[=/]$/.test(text));
  return { items, directive: isPart ? noFiles | noSpace : noFiles };
}

function startingWith(names: readonly string[], current: string): Completions {
  // A name that could control the terminal is not offered.
  return fit(names.filter((name) => name.startsWith(current) && !/\p{Cc}/u.test(name)).map((text) => ({ text })));
}

/** The values of flags that name objects; undefined for other flags. */
export async function valueCompletions(flag: string, scope: CompletionScope): Promise<Completions | undefined> {
  const { words, current } = scope;
  const lists: Readonly<Record<string, ConfigList>> = { context: 'contexts', cluster: 'clusters', user: 'users' };
  const list = lists[flag];
  if (list) return startingWith(await configNames(scope, list), current);
  if (flag === 'namespace') return startingWith(await objectNames(scope, 'namespaces'), current);
  if (flag === 'container') return startingWith(await containerNames(scope, words[0] ?? ''), current);
  return undefined;
}

async function configNames(caller: CompletionScope, list: ConfigList): Promise<string[]> {
  const { namesInConfig } = await import('./config-names.ts');
  return namesInConfig(caller, list);
}

/** The connection is loaded only for names of the server: a user waits for words of the table. */
async function objectNames(scope: CompletionScope, type: string): Promise<string[]> {
  return (await import('./type-names.ts')).objectNames(scope, type);
}

async function containerNames(scope: CompletionScope, pod: string): Promise<string[]> {
  return (await import('./type-names.ts')).containerNames(scope, pod);
}

/** The words of a command by their meaning. */
export async function commandCompletions(scope: CompletionScope): Promise<Completions> {
  const { command, words, current } = scope;
  if (!command) return nothing;
  const most = command.words?.[1] ?? Infinity;
  if (words.length >= most) return nothing;
  if (command.name === 'set image' && (words.length > 1 || words[0]?.includes('/'))) return imagesOf(scope);
  const byMeaning: Readonly<Record<string, () => Promise<Completions>>> = {
    'type-and-names': () => typeAndNames(scope),
    pod: () => podOrOwner(scope),
    node: async () => startingWith(without(await objectNames(scope, 'nodes'), words), current),
    context: async () => startingWith(await configNames(scope, 'contexts'), current),
    file: () => Promise.resolve(files),
  };
  return (await byMeaning[command.completes ?? '']?.()) ?? shellsOf(command, current);
}

/** The containers whose images are set: `main=`. */
async function imagesOf({ words, current, ...scope }: CompletionScope): Promise<Completions> {
  const [type = '', name = ''] = words[0]?.includes('/') ? words[0].split('/') : words;
  const names = await (await import('./type-names.ts')).templateContainers(scope, type, name);
  return startingWith(
    names.map((each) => `${each}=`),
    current,
  );
}

/** Words that the usage lists: `bash | zsh`. */
function shellsOf({ usage }: Command, current: string): Completions {
  const words = usage.split(' | ');
  return words.length > 1 && words.every((word) => /^[a-z]+$/.test(word)) ? startingWith(words, current) : nothing;
}

function without(names: readonly string[], given: readonly string[]): string[] {
  return names.filter((name) => !given.includes(name));
}

async function typeAndNames(scope: CompletionScope): Promise<Completions> {
  const { words, current } = scope;
  const slash = current.indexOf('/');
  if (slash > 0) return namesOfType(scope, current.slice(0, slash));
  const [type] = words;
  if (type === undefined) {
    // After a comma, another type.
    const comma = current.lastIndexOf(',') + 1;
    const types = startingWith(await (await import('./type-names.ts')).typeNames(scope), current.slice(comma));
    return { ...types, items: types.items.map(({ text }) => ({ text: current.slice(0, comma) + text })) };
  }
  if (type.includes('/') || type.includes(',')) return nothing;
  return startingWith(without(await objectNames(scope, type), words.slice(1)), current);
}

async function namesOfType(scope: CompletionScope, type: string): Promise<Completions> {
  return startingWith(
    (await objectNames(scope, type)).map((name) => `${type}/${name}`),
    scope.current,
  );
}

/** The types whose objects have pods. */
const owners = ['deployment/', 'service/', 'statefulset/', 'daemonset/', 'job/', 'replicaset/', 'pod/'];

async function podOrOwner(scope: CompletionScope): Promise<Completions> {
  const { words, current } = scope;
  if (words.length > 0) return scope.command?.name === 'logs' ? containersIn(scope, words[0] ?? '') : nothing;
  const slash = current.indexOf('/');
  if (slash > 0) return namesOfType(scope, current.slice(0, slash));
  return startingWith([...(await objectNames(scope, 'pods')), ...(current === '' ? [] : owners)], current);
}

async function containersIn(scope: CompletionScope, pod: string): Promise<Completions> {
  return startingWith(await containerNames(scope, pod), scope.current);
}

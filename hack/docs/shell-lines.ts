/** A command of a shell line: its words without quotes, redirections and variables that it sets. */
export interface ShellCommand {
  readonly line: number;
  readonly words: readonly string[];
}

/** A line of a block of commands, and its continuations. */
export interface ShellLine {
  readonly line: number;
  readonly text: string;
  /** The lines of its here-documents, if it has any. */
  readonly input: string;
  /** The output that the block shows. */
  readonly output: string;
}

const prompt = /^[$>#] /;

/**
 * The command lines of a block. In a block with prompts (`$ `) all other lines are output, or belong
 * to the here-document that the line opens; in others each line is a command, or a comment.
 */
export function shellLines(text: string, first: number): ShellLine[] {
  const lines = text.split('\n');
  const isSession = lines.some((line) => line.startsWith('$ '));
  const found: ShellLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const start = at;
    let command = lines[at++] ?? '';
    const isCommand = isSession ? command.startsWith('$ ') : !/^\s*(?:#|$)/.test(command);
    if (!isCommand) {
      const last = found.at(-1);
      if (isSession && last) found[found.length - 1] = { ...last, output: `${last.output}${command}\n` };
      continue;
    }
    command = isSession ? command.replace(prompt, '') : command;
    while (command.endsWith('\\')) command = `${command.slice(0, -1)}${(lines[at++] ?? '').trimStart()}`;
    const input = inputAt(lines, at, command);
    if (input !== undefined) at += input.length + 1;
    found.push({
      line: first + start,
      text: command,
      input: (input ?? []).map((line) => `${line}\n`).join(''),
      output: '',
    });
  }
  return found;
}

/** The lines of the here-document that a command opens, before the line that ends it. */
function inputAt(lines: readonly string[], at: number, command: string): string[] | undefined {
  const word = /<<-?\s*['"]?(\w+)['"]?/.exec(command)?.[1];
  if (word === undefined) return undefined;
  const end = lines.indexOf(word, at);
  return lines.slice(at, end < 0 ? lines.length : end);
}

const separators: ReadonlySet<string> = new Set(['|', '||', '&&', ';', '&']);

/** The commands of a line: of pipes, lists, substitutions (`$(…)`) and wrappers such as `sudo`. */
export function commandsIn({ line, text }: Pick<ShellLine, 'line' | 'text'>): ShellCommand[] {
  const nested = [...text.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, inner = '']) => commandsIn({ line, text: inner }));
  const parts: string[][] = [[]];
  for (const word of wordsOf(text.replaceAll(/\$\([^()]*\)/g, 'SUBSTITUTED'))) {
    if (separators.has(word)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  const commands = parts.map((words) => withoutSettings(words)).filter((words) => words.length > 0);
  return [...nested, ...commands.map((words) => ({ line, words: words.map(unquoted) }))];
}

const token =
  /\s*(\d?>>?(?:&\d|\s*[^\s;|&]+)?|<<?-?\s*[^\s;|&]+|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|&;<>])+|\|\||&&|[|;&])/y;

/** The words of a line up to a comment, without redirections. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [, word = ''] = match;
    if (word.startsWith('#')) break;
    if (!/^\d?[<>]/.test(word)) words.push(word);
  }
  return words;
}

const wrappers: ReadonlySet<string> = new Set(['sudo', 'time', 'exec', 'until', 'while', 'if', 'then', 'do', '!']);

function withoutSettings(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word) && !wrappers.has(word));
  return first < 0 ? [] : words.slice(first);
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(.)/g, '$1') ?? escaped ?? '',
  );
}

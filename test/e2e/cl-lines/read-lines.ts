import { readFile } from 'node:fs/promises';

/** A command line without the name of the program. */
export interface CommandLine {
  readonly text: string;
  readonly words: readonly string[];
  /** The file that is its standard input. */
  readonly input: string | undefined;
  /** People read what it prints: only the code counts, and whether something goes to stdout and to stderr. */
  readonly isForPeople: boolean;
  /** It changes nothing that later lines need, and is left out of the selection. */
  readonly isExtra: boolean;
}

/**
 * The lines of a file in `lines/`, without empty ones and comments. Before a line, `~ ` marks what people read and `? ` what the selection
 * leaves out; ` < FILE` behind it names the standard input.
 */
export async function readLines(name: string): Promise<readonly CommandLine[]> {
  const text = await readFile(`test/e2e/cl-lines/lines/${name}.txt`, 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  return lines.map(parseLine);
}

function parseLine(line: string): CommandLine {
  const [, marks = '', rest = ''] = /^([~?]*) ?(.*)$/.exec(line) ?? [];
  const [text = '', input] = rest.split(' < ');
  return { text, words: wordsOf(text), input, isForPeople: marks.includes('~'), isExtra: marks.includes('?') };
}

/** The words of a line, in which quotes keep what is in them together, as in a shell. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Mutant } from './mutant.ts';
import { testsOf } from './suites.ts';

/** A way to change a line: what the pattern finds is replaced, as `String.replace` does it. */
interface Operator {
  readonly name: string;
  readonly pattern: RegExp;
  readonly to: string;
}

/** What is changed everywhere. The compiler puts spaces around operators, and one statement on a line. */
const operators: readonly Operator[] = [
  { name: '< to <=', pattern: / < /g, to: ' <= ' },
  { name: '<= to <', pattern: / <= /g, to: ' < ' },
  { name: '> to >=', pattern: / > /g, to: ' >= ' },
  { name: '>= to >', pattern: / >= /g, to: ' > ' },
  { name: '=== to !==', pattern: / === /g, to: ' !== ' },
  { name: '!== to ===', pattern: / !== /g, to: ' === ' },
  { name: '&& to ||', pattern: / && /g, to: ' || ' },
  { name: '|| to &&', pattern: / \|\| /g, to: ' && ' },
  { name: '+ to -', pattern: / \+ /g, to: ' - ' },
  { name: '- to +', pattern: / - /g, to: ' + ' },
  { name: 'negated condition', pattern: /^(\s*(?:\} else |else )?if )\((.*)\)( \{)?$/g, to: '$1(!($2))$3' },
  { name: 'true to false', pattern: /\btrue\b/g, to: 'false' },
  { name: 'false to true', pattern: /\bfalse\b/g, to: 'true' },
  { name: 'removed statement', pattern: /^ +(?:await )?(?:this\.)?[#\w]+(?:\.[#\w]+)*\(.*\);$/g, to: '' },
];

/** Every mutant of the folders below `dist/src/`, in the order of the program. */
export async function generateMutants(dist: string, folders: readonly string[]): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  for (const folder of folders) {
    const names = (await readdir(path.join(dist, 'src', folder))).filter((name) => name.endsWith('.js'));
    for (const name of names.toSorted()) {
      const file = `src/${folder}/${name}`;
      mutants.push(...mutantsOf(file, await readFile(path.join(dist, file), 'utf8'), testsOf(folder)));
    }
  }
  return mutants;
}

function mutantsOf(file: string, text: string, tests: readonly string[]): Mutant[] {
  let start = 0;
  return text.split('\n').flatMap((line, index) => {
    const at = start;
    start += line.length + 1;
    if (/^\s*(?:\/?\*|\/\/|import |export \{)/.test(line)) return [];
    return operators.flatMap(({ name, pattern, to }) =>
      Array.from(line.matchAll(pattern))
        .filter((match) => isCode(line, match.index))
        .map((match) => ({
          name: `${file}:${index + 1} ${name}: ${line.trim()}`,
          file,
          from: line,
          to: replaced(line, match, pattern, to),
          at,
          tests,
        })),
    );
  });
}

function replaced(line: string, match: RegExpExecArray, { source }: RegExp, to: string): string {
  const [found] = match;
  const end = match.index + found.length;
  return line.slice(0, match.index) + found.replace(new RegExp(source), to) + line.slice(end);
}

/** Whether a place in a line is outside of texts. */
function isCode(line: string, at: number): boolean {
  const before = line.slice(0, at).replaceAll(/\\./g, '');
  return ["'", '`', '"'].every((quote) => (before.split(quote).length - 1) % 2 === 0);
}

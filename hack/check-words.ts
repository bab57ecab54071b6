// Comments and names are read by people who know Kubernetes, etcd and Node: comments in lines of at most 100 columns, without
// riddles; names that say what a thing is.
import { report, type SourceFile, sourceFiles } from './source-files.ts';

const longestLine = 100;

/** Words that stand for a noun that the reader would have to guess, or that say in verse what a plain word says. */
const banned: readonly RegExp[] = [
  /\b(?:is|are|was|were|be|been|being) told\b/i,
  /\btold (?:by|of|to|that|twice)\b/i,
  /\bof old\b/i,
  /\banew\b/i,
  /\bof late\b/i,
  /\bby itself\b/i,
  /\bby turns\b/i,
  /\bso many\b/i,
  /\bwhoever\b/i,
  /\bwhat goes on\b/i,
  /^(?:\/\*\*|\/\/) (?:What|Whether|Where|Who)\b/,
];

/** Names that say nothing without their file, and metaphors for which there is a term. */
const bannedNames: readonly (readonly [name: RegExp, hint: string])[] = [
  [
    /\b(?:type|interface|class) (?:Answer|Change|Claim|Part|Places?|Plan|Row|Step|Thing|Turns?|Ways?)\b/,
    'add the noun: TxnResponse, DecodePlan, FieldCheck',
  ],
  [/\b(?:const|let|function) told\b|[({,] told[:,]/, 'name the value: reasons, message, status'],
  [/\btakesTurns\b|\binPortions\b|\bturns\(/, 'a lock is a lock, a scan is a scan: usesKeyLock, scanRange'],
  [
    /\b(?:Loop|Request|Formatting)Share\b|\b\w+Pace\b/,
    'a limit is a budget, a setting is an option: TimeBudget, HeapTuning',
  ],
  [/\b\w*[sS]urroundings\b/, 'a context, a clock or a runtime'],
  [/\bSpliced\w+|\b[cC]laim(?:Field|Change|Store)\w*/, 'CacheEntry, assignFieldOwner, trackOwnership'],
];

/** A line of a comment. `words` of the first line of a block begin with the opening of the block. */
interface CommentLine {
  readonly number: number;
  readonly columns: number;
  readonly words: string;
}

function commentLines({ text }: SourceFile): CommentLine[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): CommentLine[] => {
    if (!/^\s*(?:\/\/|\/\*\*|\*)/.test(line)) return [];
    const opens = lines[index - 1]?.trim() === '/**';
    return [{ number: index + 1, columns: line.length, words: (opens ? line.replace('*', '/**') : line).trim() }];
  });
}

function findingsIn(file: SourceFile): string[] {
  return commentLines(file).flatMap(({ number, columns, words }) => {
    const long = columns > longestLine ? [`${file.path}:${number}: a comment has ${columns} columns`] : [];
    const riddles = banned.filter((word) => word.test(words));
    return [...long, ...riddles.map((word) => `${file.path}:${number}: ${word.source} in a comment`)];
  });
}

function namesIn({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = bannedNames.filter(([name]) => name.test(line));
    return found.map(([name, hint]) => `${path}:${index + 1}: ${name.exec(line)?.[0]}: ${hint}`);
  });
}

const source = sourceFiles('src', '.ts').filter(({ path }) => !path.startsWith('src/gen/'));
report('words', [...source.flatMap(findingsIn), ...[...source, ...sourceFiles('test', '.ts')].flatMap(namesIn)]);

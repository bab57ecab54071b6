// Comments are read by people who know Kubernetes, etcd and Node: in lines of at most 100 columns, without riddles.
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

const files = sourceFiles('src', '.ts').filter(({ path }) => !path.startsWith('src/gen/'));
report('words', files.flatMap(findingsIn));

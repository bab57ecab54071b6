// Comments and names are read by people who know Kubernetes, etcd and Node: comments in lines of at most 100 columns, without
// riddles; names that say what a thing is.
import { report, type SourceFile, sourceFiles } from './source-files.ts';

const longestLine = 100;

/** Words that stand for a noun that the reader would have to guess, or that are unusual for a plain word. */
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
  /\b(?:that|those) of\b/i,
  /^(?:\/\*\*|\/\/) (?:What|Whether|Where|Who)\b/,
  /^\/\*\* (?:Its|Their|It|They|These|Those)\b/,
  /^\/\*\* (?:Undefined|Absent)(?:$|:| (?:for|if|means|unless|until|while)\b)/,
  /^\/\*\* (?:The )?[Ss]ame (?:as|for|in|of|with)\b/,
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
  [
    /\b\w*Foreign\w*|\bforeign[A-Z]\w*|\b(?:const|let|readonly) foreign\b/,
    'isExternal, isInOtherNamespace, hasCustomDomain',
  ],
  [/\b\w+[iI]nTurns\b|\b\w+FromTimeToTime\b/, 'a scan yields, a task runs periodically'],
];

/** Names of the program alone: tests inject faults, which is a term there. */
const bannedInSource: typeof bannedNames = [
  [/\b\w+Faults?\b|\b(?:const|let|readonly) faults?\b/, 'nodeError, nodeProblem, validateName; problem'],
  [/\blateModule\b|\b[kK]ept(?:Encoding|Discovery|Conversion|Pieces)\b/, 'lazyModule, cachedEncoding'],
];

/** A comment: a block, or `//` lines one below the other. `words` begin with its opening, line ends are blanks. */
interface Comment {
  readonly number: number;
  readonly words: string;
}

const commentLine = /^\s*(?:\/\/|\/\*\*|\*)/;

function commentsOf(lines: readonly string[]): Comment[] {
  const comments: Comment[] = [];
  for (const [index, line] of lines.entries()) {
    if (!commentLine.test(line)) continue;
    const words = line.trim().replace(/\s*\*\/$/, '');
    const before = comments.at(-1);
    const isContinued = before !== undefined && commentLine.test(lines[index - 1] ?? '') && !words.startsWith('/**');
    if (isContinued)
      comments[comments.length - 1] = { ...before, words: `${before.words} ${words.replace(/^(?:\/\/|\*) ?/, '')}` };
    else comments.push({ number: index + 1, words });
  }
  return comments;
}

function findingsIn({ path, text }: SourceFile): string[] {
  const lines = text.split('\n');
  const long = lines.flatMap((line, index) =>
    commentLine.test(line) && line.length > longestLine
      ? [`${path}:${index + 1}: a comment has ${line.length} columns`]
      : [],
  );
  const riddles = commentsOf(lines).flatMap(({ number, words }) =>
    banned.filter((word) => word.test(words)).map((word) => `${path}:${number}: ${word.source} in a comment`),
  );
  return [...long, ...riddles];
}

function namesIn({ path, text }: SourceFile, names = bannedNames): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = names.filter(([name]) => name.test(line));
    return found.map(([name, hint]) => `${path}:${index + 1}: ${name.exec(line)?.[0]}: ${hint}`);
  });
}

const written = [...sourceFiles('src', '.ts'), ...sourceFiles('src', '.tsx')];
const source = written.filter(({ path }) => !path.startsWith('src/gen/'));
report('words', [
  ...source.flatMap(findingsIn),
  ...[...source, ...sourceFiles('test', '.ts')].flatMap((file) => namesIn(file)),
  ...source.flatMap((file) => namesIn(file, bannedInSource)),
]);

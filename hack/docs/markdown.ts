import type { SourceFile } from '../source-files.ts';

/** A block of code of a page. */
export interface CodeBlock {
  readonly page: string;
  /** The line of the page that has the first line of its text. */
  readonly line: number;
  /** The first word after the fence: `ts`, `console`. Empty without one, and for indented blocks. */
  readonly language: string;
  /** The words after the language that are no settings: `fragment`. */
  readonly marks: ReadonlySet<string>;
  /** The settings after the language: `file=widgets.yaml`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A page of the documentation, in the parts that are checked. */
export interface Page {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** The lines outside blocks of code, by number; other lines are empty. */
  readonly prose: readonly string[];
}

const fence = /^(\s*)(`{3,}|~{3,})\s*(.*)$/;

/** Reads a page: fenced blocks, blocks that are indented by four spaces, and the rest. */
export function readPage({ path, text }: SourceFile): Page {
  const lines = text.split('\n');
  const prose = lines.map(() => '');
  const blocks: CodeBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const block = fencedBlock(path, lines, at) ?? indentedBlock(path, lines, at);
    if (block) blocks.push(block.block);
    else prose[at] = lines[at] ?? '';
    at = block ? block.end : at + 1;
  }
  return { path, blocks, prose };
}

interface FoundBlock {
  readonly block: CodeBlock;
  /** The index of the line after it. */
  readonly end: number;
}

function fencedBlock(page: string, lines: readonly string[], at: number): FoundBlock | undefined {
  const [, indent = '', mark, info = ''] = fence.exec(lines[at] ?? '') ?? [];
  if (mark === undefined) return undefined;
  const closes = lines.findIndex((line, index) => index > at && line.trim() === mark);
  const end = closes < 0 ? lines.length : closes;
  const text = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return { block: { page, line: at + 2, ...readInfo(info), text: text.join('\n') }, end: end + 1 };
}

function readInfo(info: string): Pick<CodeBlock, 'language' | 'marks' | 'settings'> {
  const [language = '', ...words] = info.trim().split(/\s+/);
  const settings = words.filter((word) => word.includes('='));
  return {
    language,
    marks: new Set(words.filter((word) => !word.includes('='))),
    settings: Object.fromEntries(settings.map((word) => word.split('=', 2) as [string, string])),
  };
}

const indented = /^ {4}(?! {0,2}[-*] )/;

/** Lines after an empty line that are indented more than an item of a list is. */
function indentedBlock(page: string, lines: readonly string[], at: number): FoundBlock | undefined {
  const before = lines[at - 1] ?? '';
  if (before.trim() !== '' || !indented.test(lines[at] ?? '') || isInList(lines, at)) return undefined;
  let end = at;
  while (end < lines.length && (/^ {4}/.test(lines[end] ?? '') || isGap(lines, end))) end++;
  const text = lines.slice(at, end).map((line) => line.slice(4));
  const block = { page, line: at + 1, language: '', marks: new Set<string>(), settings: {}, text: text.join('\n') };
  return { block, end };
}

function isGap(lines: readonly string[], at: number): boolean {
  return lines[at]?.trim() === '' && /^ {4}/.test(lines[at + 1] ?? '');
}

/** Reports whether the paragraph before belongs to an item of a list, whose text may be indented. */
function isInList(lines: readonly string[], at: number): boolean {
  const last = lines.slice(0, at).findLast((line) => line.trim() !== '' && !line.startsWith('  '));
  return /^(?:[-*]|\d+\.) /.test(last ?? '');
}

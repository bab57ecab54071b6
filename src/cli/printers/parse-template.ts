import type { JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { lexTemplate, type TemplateToken, type TemplateWord } from './lex-template.ts';

/** An operand of a command. `names` are the fields that are read from it, one after the other. */
export type TemplateOperand =
  | { readonly type: 'literal'; readonly value: JsonValue | undefined }
  | { readonly type: 'dot'; readonly names: readonly string[] }
  | { readonly type: 'variable'; readonly name: string; readonly names: readonly string[] }
  | { readonly type: 'pipeline'; readonly pipeline: TemplatePipeline; readonly names: readonly string[] }
  | { readonly type: 'function'; readonly name: string };

/** Commands, each of which gets the value of the one before as its last argument. */
export interface TemplatePipeline {
  /** The variables that are set: one, or index and value of a range. */
  readonly variables: readonly string[];
  /** True for `:=`, which declares them. */
  readonly declares: boolean;
  readonly commands: readonly (readonly TemplateOperand[])[];
}

/** A part of a template. */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly pipeline: TemplatePipeline }
  | ({ readonly type: 'if' | 'with'; readonly pipeline: TemplatePipeline } & TemplateBranches)
  | ({ readonly type: 'range'; readonly pipeline: TemplatePipeline } & TemplateBranches)
  | { readonly type: 'template'; readonly name: string; readonly pipeline: TemplatePipeline | undefined }
  | { readonly type: 'break' | 'continue' };

interface TemplateBranches {
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

/** A template, and those that it defines. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** Parses a template in the language of Go's text/template. Throws CliError. */
export function parseTemplate(text: string): Template {
  const defined = new Map<string, readonly TemplateNode[]>();
  const reader: TokenReader = { tokens: lexTemplate(text), at: 0, defined };
  const { nodes, end } = readNodes(reader);
  if (end !== undefined) throw new CliError(`error parsing template: unexpected {{${end}}}`);
  return { nodes, defined };
}

interface TokenReader {
  readonly tokens: readonly TemplateToken[];
  at: number;
  readonly defined: Map<string, readonly TemplateNode[]>;
}

/** Reads nodes to an `end` or `else`, which is returned with the words after it. */
function readNodes(reader: TokenReader): ReadNodes {
  const nodes: TemplateNode[] = [];
  for (;;) {
    const token = reader.tokens[reader.at++];
    if (token === undefined) return { nodes, end: undefined, words: [] };
    if (token.type === 'text') {
      nodes.push(token);
      continue;
    }
    const { word, rest } = firstWord(token.words);
    if (word === 'end' || word === 'else') return { nodes, end: word, words: rest };
    const node = actionNode(word, rest, token.words, reader);
    if (node) nodes.push(node);
  }
}

interface ReadNodes {
  readonly nodes: readonly TemplateNode[];
  readonly end: string | undefined;
  readonly words: readonly TemplateWord[];
}

function firstWord(words: readonly TemplateWord[]): { readonly word: string; readonly rest: readonly TemplateWord[] } {
  const [first, ...rest] = words;
  return first?.type === 'name' ? { word: first.text, rest: trimmed(rest) } : { word: '', rest: words };
}

function trimmed(words: readonly TemplateWord[]): readonly TemplateWord[] {
  return words[0]?.type === 'space' ? words.slice(1) : words;
}

function actionNode(
  word: string,
  rest: readonly TemplateWord[],
  words: readonly TemplateWord[],
  reader: TokenReader,
): TemplateNode | undefined {
  switch (word) {
    case 'if':
    case 'with':
    case 'range':
      return { type: word, pipeline: readPipeline(rest), ...readBranches(reader, word) };
    case 'break':
    case 'continue':
      return { type: word };
    case 'template':
      return { type: 'template', ...nameAndPipeline(rest) };
    case 'define':
    case 'block': {
      const named = nameAndPipeline(rest);
      const { nodes, end } = readNodes(reader);
      if (end !== 'end') throw missingEnd(word);
      reader.defined.set(named.name, nodes);
      return word === 'block' ? { type: 'template', ...named } : undefined;
    }
    default:
      return { type: 'print', pipeline: readPipeline(words) };
  }
}

function missingEnd(word: string): CliError {
  return new CliError(`error parsing template: {{${word}}} has no {{end}}`);
}

function readBranches(reader: TokenReader, word: string): TemplateBranches {
  const { nodes: body, end, words } = readNodes(reader);
  if (end === undefined) throw missingEnd(word);
  if (end === 'end') return { body, otherwise: [] };
  const next = firstWord(words);
  if (next.word === 'if' || next.word === 'with') {
    const pipeline = readPipeline(next.rest);
    return { body, otherwise: [{ type: next.word, pipeline, ...readBranches(reader, next.word) }] };
  }
  const { nodes: otherwise, end: last } = readNodes(reader);
  if (last !== 'end') throw missingEnd(word);
  return { body, otherwise };
}

function nameAndPipeline(words: readonly TemplateWord[]) {
  const [name, ...rest] = words;
  if (name?.type !== 'string') throw new CliError('error parsing template: the name of a template is a string');
  const left = trimmed(rest);
  return { name: stringValue(name.text), pipeline: left.length > 0 ? readPipeline(left) : undefined };
}

/** Reads a pipeline that takes all of the words. */
function readPipeline(words: readonly TemplateWord[]): TemplatePipeline {
  const cursor: WordCursor = { words, at: 0 };
  const pipeline = pipelineAt(cursor);
  const left = words[cursor.at];
  if (left) throw new CliError(`error parsing template: unexpected ${left.text} in ${sourceOf(words)}`);
  return pipeline;
}

function sourceOf(words: readonly TemplateWord[]): string {
  return `{{${words.map(({ text }) => text).join('')}}}`;
}

interface WordCursor {
  readonly words: readonly TemplateWord[];
  at: number;
}

function pipelineAt(cursor: WordCursor): TemplatePipeline {
  const { variables, declares } = assignmentAt(cursor);
  const commands: TemplateOperand[][] = [[]];
  for (;;) {
    const word = cursor.words[cursor.at];
    if (word === undefined || (word.type === 'sign' && word.text === ')')) break;
    if (word.type === 'space') cursor.at++;
    else if (word.type === 'sign' && word.text === '|') {
      cursor.at++;
      commands.push([]);
    } else commands.at(-1)?.push(operandAt(cursor));
  }
  if (commands.some((command) => command.length === 0)) {
    throw new CliError(`error parsing template: missing value for command in ${sourceOf(cursor.words)}`);
  }
  return { variables, declares, commands };
}

/** Reads `$a :=`, `$a =` or `$i, $a :=`. */
function assignmentAt(cursor: WordCursor): { readonly variables: string[]; readonly declares: boolean } {
  const text = cursor.words.slice(cursor.at).map((word) => word.text);
  const kinds = cursor.words.slice(cursor.at);
  const variables: string[] = [];
  let at = 0;
  for (;;) {
    while (kinds[at]?.type === 'space') at++;
    const word = kinds[at];
    if (word?.type !== 'variable') return { variables: [], declares: false };
    variables.push(word.text);
    at++;
    while (kinds[at]?.type === 'space') at++;
    if (text[at] === ',') at++;
    else break;
  }
  const sign = text[at];
  if (sign !== ':=' && sign !== '=') return { variables: [], declares: false };
  cursor.at += at + 1;
  return { variables, declares: sign === ':=' };
}

function operandAt(cursor: WordCursor): TemplateOperand {
  const word = cursor.words[cursor.at++];
  switch (word?.type) {
    case 'string':
      return { type: 'literal', value: stringValue(word.text) };
    case 'character':
      return { type: 'literal', value: BigInt(stringValue(word.text).codePointAt(0) ?? 0) };
    case 'number':
      return {
        type: 'literal',
        value: /^[-+]?(?:\d+|0[xX][\da-fA-F]+)$/.test(word.text) ? BigInt(word.text) : Number(word.text),
      };
    case 'variable':
      return { type: 'variable', name: word.text, names: namesAt(cursor) };
    case 'field':
      return { type: 'dot', names: [word.text.slice(1), ...namesAt(cursor)] };
    case 'name':
      return namedOperand(word.text);
    case 'sign':
    case 'space':
    case undefined:
    default:
      return signOperand(word?.text ?? '', cursor);
  }
}

const constants: Readonly<Record<string, JsonValue | undefined>> = { true: true, false: false, nil: undefined };

function namedOperand(name: string): TemplateOperand {
  return Object.hasOwn(constants, name) ? { type: 'literal', value: constants[name] } : { type: 'function', name };
}

function signOperand(sign: string, cursor: WordCursor): TemplateOperand {
  if (sign === '.') return { type: 'dot', names: [] };
  if (sign !== '(') throw new CliError(`error parsing template: unexpected ${sign} in ${sourceOf(cursor.words)}`);
  const pipeline = pipelineAt(cursor);
  if (cursor.words[cursor.at++]?.text !== ')') {
    throw new CliError(`error parsing template: unclosed left paren in ${sourceOf(cursor.words)}`);
  }
  return { type: 'pipeline', pipeline, names: namesAt(cursor) };
}

/** The fields that follow without a space: `.a.b`. */
function namesAt(cursor: WordCursor): string[] {
  const names: string[] = [];
  for (let word = cursor.words[cursor.at]; word?.type === 'field'; word = cursor.words[++cursor.at]) {
    names.push(word.text.slice(1));
  }
  return names;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007' };

/** The text of a quoted word, in the syntax of Go. */
function stringValue(quoted: string): string {
  const text = quoted.slice(1, -1);
  if (quoted.startsWith('`')) return text;
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gs,
    (_, x?: string, u?: string, long?: string, octal?: string, letter = '') => {
      const hex = x ?? u ?? long;
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return escapes[letter] ?? letter;
    },
  );
}

import { CliError } from '../cli-error.ts';

/** A text of a template, or the words of an action. */
export type TemplateToken =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly words: readonly TemplateWord[]; readonly source: string };

/** A word of an action. */
export interface TemplateWord {
  readonly type: 'space' | 'string' | 'character' | 'field' | 'variable' | 'number' | 'name' | 'sign';
  readonly text: string;
}

const action =
  /\{\{(?:-\s)?\s*(?:\/\*.*?\*\/|(?:"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'|(?!\}\}).)*?)\s*(?:\s-)?\}\}/gs;

/** Splits a template of Go into texts and actions; `{{-` and `-}}` trim the texts beside them. */
export function lexTemplate(template: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  let end = 0;
  let trims = false;
  const addText = (text: string): void => {
    const kept = trims ? text.trimStart() : text;
    if (kept !== '') tokens.push({ type: 'text', text: kept });
  };
  for (const { 0: found, index } of template.matchAll(action)) {
    const text = template.slice(end, index);
    addText(/^\{\{-\s/.test(found) ? text.trimEnd() : text);
    trims = /\s-\}\}$/.test(found);
    end = index + found.length;
    const source = found
      .replace(/^\{\{(?:-\s)?/, '')
      .replace(/(?:\s-)?\}\}$/, '')
      .trim();
    if (!source.startsWith('/*')) tokens.push({ type: 'action', words: wordsOf(source), source });
  }
  const rest = template.slice(end);
  if (rest.includes('{{')) throw new CliError(`error parsing template ${template}, unclosed action`);
  addText(rest);
  return tokens;
}

const wordTypes: readonly (readonly [TemplateWord['type'], RegExp])[] = [
  ['space', /^\s+/],
  ['string', /^(?:"(?:\\.|[^"\\])*"|`[^`]*`)/s],
  ['character', /^'(?:\\.|[^'\\])+'/s],
  ['number', /^[-+]?(?:0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)/],
  ['field', /^\.[\p{L}_][\p{L}\d_]*/u],
  ['variable', /^\$[\p{L}\d_]*/u],
  ['name', /^[\p{L}_][\p{L}\d_]*/u],
  ['sign', /^(?::=|[=|(),.])/],
];

function wordsOf(source: string): TemplateWord[] {
  const words: TemplateWord[] = [];
  for (let rest = source; rest !== ''; ) {
    const found = wordTypes.map(([type, form]) => ({ type, text: form.exec(rest)?.[0] })).find(({ text }) => text);
    if (!found?.text) throw new CliError(`error parsing template: unexpected ${rest[0]} in action {{${source}}}`);
    words.push({ type: found.type, text: found.text });
    rest = rest.slice(found.text.length);
  }
  return words;
}

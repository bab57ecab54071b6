/** Texts, and between them indexes of names. */
export type TextTemplate = readonly (string | number)[];

/** Splits a text at names. Of names that begin at the same place the first one is taken. */
export function textTemplate(text: string, names: readonly string[]): TextTemplate {
  const pattern = names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
  return text
    .split(new RegExp(`(${pattern})`))
    .filter((part) => part !== '')
    .map((part) => (names.includes(part) ? names.indexOf(part) : part));
}

/** The text with other names. */
export function filledText(template: TextTemplate, names: readonly string[]): string {
  let text = '';
  for (const part of template) text += typeof part === 'number' ? (names[part] ?? '') : part;
  return text;
}

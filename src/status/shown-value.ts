import { goQuote } from './go-quote.ts';

/** The longest text of a refused value that is echoed to the client, in characters. */
export const shownValueLimit = 1024;

/** Cuts a text that is longer than a limit, and says so with three dots. */
export function cutText(text: string, limit: number = shownValueLimit): string {
  return text.length > limit ? `${text.slice(0, limit)}...` : text;
}

/**
 * A value as kube-apiserver shows it in a message: texts and lists of texts in Go's syntax, all others as JSON. At most
 * `limit` characters. Printing stops at the limit, because an object of megabytes may be shown in many errors.
 */
export function shownValue(value: unknown, limit: number = shownValueLimit): string {
  return cutText(valueText(value, limit), limit);
}

function valueText(value: unknown, limit: number): string {
  if (typeof value === 'string') return quotedText(value, limit);
  if (typeof value === 'bigint') return value.toString();
  // What is missing is shown as a text, and texts are quoted.
  if (value === null || value === undefined) return goQuote('null');
  if (isTexts(value)) return textsInGo(value, limit);
  return jsonText(value, limit);
}

/** A quoted text of which at least the first `limit` characters are right. */
export function quotedText(text: string, limit: number): string {
  return goQuote(text.length > limit ? text.slice(0, limit + 1) : text);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function textsInGo(texts: readonly string[], limit: number): string {
  if (texts.length === 0) return '[]string(nil)';
  return boundedList(texts, { open: '[]string{', close: '}', separator: ', ' }, limit, quotedText);
}

/** How a list is written around its items. */
interface Brackets {
  readonly open: string;
  readonly close: string;
  readonly separator: string;
}

/** Writes items until more than `limit` characters are there; `print` gets how many may follow. */
export function boundedList<Item>(
  items: readonly Item[],
  { open, close, separator }: Brackets,
  limit: number,
  print: (item: Item, limit: number) => string,
): string {
  let text = open;
  for (let index = 0; index < items.length && text.length <= limit; index++) {
    if (index > 0) text += separator;
    // Within bounds, by the condition of the loop.
    text += print(items[index] as Item, Math.max(0, limit - text.length));
  }
  return text + close;
}

/** JSON of which at least the first `limit` characters are right; large integers are texts. */
export function jsonText(value: unknown, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > limit ? value.slice(0, limit + 1) : value);
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return boundedList(value, { open: '[', close: ']', separator: ',' }, limit, jsonText);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const print = ([key, member]: readonly [string, unknown], room: number): string => {
    const name = jsonText(key, room);
    return `${name}:${jsonText(member, Math.max(0, room - name.length))}`;
  };
  return boundedList(membersOf(value, limit), { open: '{', close: '}', separator: ',' }, limit, print);
}

/** The first members of an object, no more than can be shown. */
function membersOf(value: object, limit: number): readonly (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = [];
  for (const key in value) {
    if (members.length > limit) break;
    const member: unknown = Reflect.get(value, key);
    if (Object.hasOwn(value, key) && member !== undefined) members.push([key, member]);
  }
  return members;
}

/** Maximum length of a refused value in a message, in characters. */
export const shownValueLimit = 1024;

/** Cuts a text that is longer than `limit` and adds three dots. */
export function cutText(text: string, limit: number = shownValueLimit): string {
  return text.length > limit ? `${text.slice(0, limit)}...` : text;
}

/**
 * Formats a value for a message, as JSON. Returns at most `limit` characters and three dots.
 * Formats no more than needed, because an object of megabytes can be part of many errors.
 */
export function shownValue(value: unknown, limit: number = shownValueLimit): string {
  return cutText(jsonText(value, limit), limit);
}

/** The text around and between the items of a list. */
interface Brackets {
  readonly open: string;
  readonly close: string;
  readonly separator: string;
}

/**
 * Formats items until the text exceeds `limit` characters; `print` gets the number of characters
 * left.
 */
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

/** A value with a given text in messages, because JSON cannot show it. */
export class ShownText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Formats JSON; the first `limit` characters of the result are exact. */
export function jsonText(value: unknown, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > limit ? value.slice(0, limit + 1) : value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof ShownText) return value.text;
  if (Array.isArray(value)) return boundedList(value, { open: '[', close: ']', separator: ',' }, limit, jsonText);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const print = ([key, member]: readonly [string, unknown], room: number): string => {
    const name = jsonText(key, room);
    return `${name}:${jsonText(member, Math.max(0, room - name.length))}`;
  };
  return boundedList(membersOf(value, limit), { open: '{', close: '}', separator: ',' }, limit, print);
}

/** The first members of an object, at most as many as can be shown. */
function membersOf(value: object, limit: number): readonly (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = [];
  for (const key in value) {
    if (members.length > limit) break;
    const member: unknown = Reflect.get(value, key);
    if (Object.hasOwn(value, key) && member !== undefined) members.push([key, member]);
  }
  return members;
}

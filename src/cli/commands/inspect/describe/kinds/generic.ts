import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../meta/json-value.ts';
import type { Description, Section } from '../parts/description.ts';
import { annotations, indented, labels, namespacedName } from '../parts/fields.ts';
import { plain } from '../parts/values.ts';

/** Fields of the metadata that are left out, or that have lines of their own. */
const shownElsewhere: ReadonlySet<string> = new Set(['managedFields', 'name', 'namespace', 'labels', 'annotations']);

const content: Section = (object) => {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const rest = Object.entries(metadata).filter(([key]) => !shownElsewhere.has(key));
  return fieldLines({ ...object, metadata: Object.fromEntries(rest) });
};

function fieldLines(object: JsonObject): string[] {
  return Object.keys(object)
    .toSorted()
    .flatMap((key) => {
      const value = object[key];
      if (isJsonObject(value)) return [`${labelOf(key)}:`, ...indented(fieldLines(value))];
      if (Array.isArray(value)) return [`${labelOf(key)}:`, ...indented(value.flatMap(itemLines))];
      return [`${labelOf(key)}:\t${value === null ? '<nil>' : plain(value)}`];
    });
}

function itemLines(item: JsonValue): string[] {
  return isJsonObject(item) ? fieldLines(item) : [plain(item)];
}

/** Words that are written in capitals. */
const acronyms: ReadonlySet<string> = new Set(['API', 'URL', 'UID', 'GUID']);

/** The words of a field's name, as in `API Version`. Names with other signs stay. */
function labelOf(key: string): string {
  if (!/^[\p{L}-]+$/u.test(key)) return key;
  return wordsOf(key)
    .map((word) => {
      if (acronyms.has(word.toUpperCase())) return word.toUpperCase();
      return word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    })
    .join(' ');
}

/** Capitals in a row are one word with the word that they begin: `HTTPGet`, `pod CIDR`. */
function wordsOf(key: string): string[] {
  const words = key.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|-+|\p{L}+/gu) ?? [key];
  const joined: string[] = [];
  let wasCapitals = false;
  for (const word of words) {
    if (wasCapitals && /^\p{Lu}/u.test(word)) joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
    wasCapitals = !wasCapitals && /^\p{Lu}{2,}$/u.test(word);
  }
  return joined;
}

/** All fields of an object of any kind. */
export const generic: Description = { sections: [...namespacedName, labels, annotations, content] };

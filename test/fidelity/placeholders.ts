import { isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { valueAt } from './json-paths.ts';

/** What the placeholders in the texts of a sequence stand for at one server. */
export type Placeholders = Map<string, string>;

/** The placeholders of a sequence before its first answer. */
export function newPlaceholders(id: string): Placeholders {
  return new Map([
    ['ns', `ns-${id}`],
    ['name', `o-${id}`],
  ]);
}

/** Fills the placeholders in a text. What no answer has said is a version that nothing has, or a name that nobody has. */
export function fillPlaceholders(text: string, placeholders: Placeholders): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, placeholder: string) => {
    const value = placeholders.get(placeholder);
    return value ?? (placeholder.endsWith('rv') ? '1' : 'none');
  });
}

/** Keeps what an answer says for the steps that follow. */
export function rememberResponse(placeholders: Placeholders, body: JsonValue, name: string | undefined): void {
  const metadata = valueAt(body, ['metadata']);
  if (!isJsonObject(metadata)) return;
  const { uid, resourceVersion, continue: token } = metadata;
  if (typeof uid === 'string' && typeof resourceVersion === 'string') {
    placeholders.set('uid', uid).set('rv', resourceVersion);
  }
  if (name === undefined) return;
  if (typeof uid === 'string') placeholders.set(`${name}.uid`, uid);
  if (typeof resourceVersion === 'string') placeholders.set(`${name}.rv`, resourceVersion);
  if (typeof token === 'string') placeholders.set(`${name}.continue`, token);
}

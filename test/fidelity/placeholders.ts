import { isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { valueAt } from './json-paths.ts';

/** What the places in the texts of a sequence stand for at one server. */
export type Places = Map<string, string>;

/** The places of a sequence before its first answer. */
export function newPlaces(id: string): Places {
  return new Map([
    ['ns', `ns-${id}`],
    ['name', `o-${id}`],
  ]);
}

/** Fills the places in a text. What no answer has said is a version that nothing has, or a name that nobody has. */
export function fillPlaces(text: string, places: Places): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, place: string) => {
    const value = places.get(place);
    return value ?? (place.endsWith('rv') ? '1' : 'none');
  });
}

/** Keeps what an answer says for the steps that follow. */
export function rememberAnswer(places: Places, body: JsonValue, name: string | undefined): void {
  const metadata = valueAt(body, ['metadata']);
  if (!isJsonObject(metadata)) return;
  const { uid, resourceVersion, continue: token } = metadata;
  if (typeof uid === 'string' && typeof resourceVersion === 'string') {
    places.set('uid', uid).set('rv', resourceVersion);
  }
  if (name === undefined) return;
  if (typeof uid === 'string') places.set(`${name}.uid`, uid);
  if (typeof resourceVersion === 'string') places.set(`${name}.rv`, resourceVersion);
  if (typeof token === 'string') places.set(`${name}.continue`, token);
}

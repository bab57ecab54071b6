import { type Identifiers, identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';

/** Reads an annotation for stand-in nodes; the spelling of the server counts before the other. */
export function readAnnotation(
  annotations: Readonly<Record<string, string>> | undefined,
  name: string,
  { set }: Identifiers,
): string | undefined {
  const spellings = [set, ...identifierSets].map((one) => `stand-in.${identifiersOf(one).labelDomain}/${name}`);
  const found = spellings.find((spelling) => annotations !== undefined && Object.hasOwn(annotations, spelling));
  return found === undefined ? undefined : annotations?.[found];
}

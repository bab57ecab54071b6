import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';

/** The annotations that name the container of commands that are given none. */
const names = identifierSets.map((set) => {
  const { commandLine, labelDomain } = identifiersOf(set);
  return `${commandLine}.${labelDomain}/default-container`;
});

/** The container that the annotations of a pod name for commands; undefined if they name none. */
export function defaultContainer(annotations: Readonly<Record<string, string>> = {}): string | undefined {
  return names.map((name) => annotations[name]).find(Boolean);
}

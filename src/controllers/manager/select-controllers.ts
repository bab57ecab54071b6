import type { ControllerDefinition } from '../controller-definition.ts';

/**
 * Returns the controllers that a list of `--controllers` selects, in the order of the table. The
 * first entry that names a controller decides; `*` applies to those that no entry names.
 */
export function selectControllers(
  known: readonly ControllerDefinition[],
  entries: readonly string[],
): readonly ControllerDefinition[] {
  const all = entries.includes('*');
  return known.filter(({ name, alias, onByDefault = true }) => {
    const entry = entries.find((each) => [name, alias].includes(nameIn(each)));
    return entry === undefined ? all && onByDefault : !entry.startsWith('-');
  });
}

/** Reports the first entry that names no controller; undefined if there is none. */
export function unknownController(
  known: readonly ControllerDefinition[],
  entries: readonly string[],
): string | undefined {
  const names = new Set(['*', ...known.flatMap(({ name, alias }) => [name, alias])]);
  const unknown = entries.find((entry) => !names.has(nameIn(entry)));
  return unknown === undefined ? undefined : `${JSON.stringify(unknown)} is not in the list of known controllers`;
}

function nameIn(entry: string): string {
  return entry.replace(/^-/, '');
}

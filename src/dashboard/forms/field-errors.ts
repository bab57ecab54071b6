import { type FieldPath, pathText } from './field-path.ts';

/** Errors by the paths of their fields in text. */
export type FieldErrors = ReadonlyMap<string, string>;

/**
 * Removes the errors of a removed field and its parts. Errors of later list items move to the new
 * indexes.
 */
export function errorsAfterRemoval(errors: FieldErrors, path: FieldPath): FieldErrors {
  const removed = path.at(-1);
  const own = pathText(path);
  if (typeof removed !== 'number') return renamed(errors, (text) => (isAtOrBelow(text, own) ? undefined : text));
  return withIndexes(errors, path, (index) => {
    if (index === removed) return undefined;
    return index > removed ? index - 1 : index;
  });
}

/** Errors of a list of which an item was moved before the one above it. */
export function errorsAfterMoveUp(errors: FieldErrors, path: FieldPath): FieldErrors {
  const moved = Number(path.at(-1));
  return withIndexes(errors, path, (index) => {
    if (index === moved) return moved - 1;
    return index === moved - 1 ? moved : index;
  });
}

/** Gives the errors of the items of a list other indexes; undefined removes them. */
function withIndexes(
  errors: FieldErrors,
  path: FieldPath,
  indexOf: (index: number) => number | undefined,
): FieldErrors {
  const start = `${pathText(path.slice(0, -1))}[`;
  return renamed(errors, (text) => {
    const [, index, rest = ''] = (text.startsWith(start) && /^(\d+)(\].*)$/s.exec(text.slice(start.length))) || [];
    if (index === undefined) return text;
    const next = indexOf(Number(index));
    return next === undefined ? undefined : `${start}${next}${rest}`;
  });
}

function renamed(errors: FieldErrors, nameOf: (text: string) => string | undefined): FieldErrors {
  return new Map(
    [...errors].flatMap(([text, error]) => {
      const name = nameOf(text);
      return name === undefined ? [] : [[name, error] as const];
    }),
  );
}

/** Reports whether a path is another path or below it. */
function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

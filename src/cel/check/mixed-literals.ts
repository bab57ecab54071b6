import { childrenOf, type MapEntry, type Node } from '../syntax/node.ts';
import type { Problem } from '../syntax/problem.ts';
import { type CelType, formatType } from '../types/cel-type.ts';
import { sameType } from '../types/unify.ts';
import type { CheckedExpression } from './check.ts';

/** Finds lists and maps whose parts have several types, except below calls of `format`. */
export function mixedLiterals({ root, typeOf }: CheckedExpression): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'call' && node.name === 'format') return;
    if (node.kind === 'list') problems.push(...mixedItems(node, typeOf).slice(0, 1));
    if (node.kind === 'map') problems.push(...mixedEntries(node.entries, typeOf));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return problems;
}

function mixedItems({ elements, optional }: Node & { kind: 'list' }, typeOf: (node: Node) => CelType): Problem[] {
  return mismatches(
    elements.map((node, index) => ({ at: node.at, type: valueType(typeOf(node), optional.has(index)) })),
  );
}

function mixedEntries(entries: readonly MapEntry[], typeOf: (node: Node) => CelType): Problem[] {
  return [
    ...mismatches(entries.map(({ key }) => ({ at: key.at, type: typeOf(key) }))),
    ...mismatches(entries.map(({ value, optional }) => ({ at: value.at, type: valueType(typeOf(value), optional) }))),
  ];
}

function valueType(type: CelType, isOptional: boolean): CelType {
  return isOptional && type.kind === 'optional' ? type.value : type;
}

/** The parts whose type is not that of the first one. */
function mismatches(parts: readonly { readonly at: number; readonly type: CelType }[]): Problem[] {
  const [first] = parts;
  return parts.flatMap(({ at, type }) =>
    first && !sameType(first.type, type)
      ? [{ at, message: `expected type '${formatType(first.type)}' but found '${formatType(type)}'` }]
      : [],
  );
}

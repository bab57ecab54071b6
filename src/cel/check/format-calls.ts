import { childrenOf, type Node } from '../syntax/syntax-tree.ts';
import type { Problem } from '../syntax/problem.ts';
import { type CelType, runtimeNameOf } from '../types/cel-type.ts';
import { readClause } from '../functions/format-clause.ts';
import type { CheckedExpression } from './check.ts';

/** Finds calls of `format` on a literal whose clauses do not fit the types of a literal list. */
export function wrongFormats(checked: CheckedExpression): readonly Problem[] {
  const problems: Problem[] = [];
  const visit = (node: Node): void => {
    const problem = formatProblem(node, checked);
    if (problem) problems.push(problem);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(checked.root);
  return problems;
}

function formatProblem(node: Node, { typeOf }: CheckedExpression): Problem | undefined {
  if (node.kind !== 'call' || node.name !== 'format' || node.target?.kind !== 'literal') return undefined;
  const [list] = node.args;
  const text = node.target.value;
  if (typeof text !== 'string' || list?.kind !== 'list') return undefined;
  const here = (message: string): Problem => ({ at: node.at, message });
  let used = 0;
  for (let index = text.indexOf('%'); index >= 0; index = text.indexOf('%', index)) {
    if (text[index + 1] === '%') {
      index += 2;
      continue;
    }
    if (index + 1 >= text.length) return here('unexpected end of string');
    const value = list.elements[used];
    if (!value) return here(`index ${used} out of range`);
    const clause = readClause(text, index);
    if ('problem' in clause) return here(`could not parse formatting clause: ${clause.problem}`);
    const wrong = wrongValue(clause.verb, value, typeOf);
    if (wrong) return wrong;
    index += clause.length;
    used++;
  }
  const given = list.elements.length;
  if (given <= used) return undefined;
  return here(`too many arguments supplied to string.format (expected ${used}, got ${given})`);
}

interface Verb {
  readonly rule: string;
  readonly kinds: ReadonlySet<string>;
}

function verb(rule: string, kinds: string): Verb {
  return { rule, kinds: new Set(kinds.split(' ')) };
}

const hexadecimal = verb('only integers, byte buffers, and strings can be formatted as hex', 'int uint string bytes');

/** The types that each verb accepts. A string may be the name of a special double: `NaN`. */
const verbs: Readonly<Record<string, Verb>> = {
  s: verb(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    'list map int uint double bool string timestamp bytes duration type null',
  ),
  d: verb('decimal clause can only be used on integers', 'int uint'),
  f: verb('fixed-point clause can only be used on doubles', 'double string'),
  e: verb('scientific clause can only be used on doubles', 'double string'),
  b: verb('only integers and bools can be formatted as binary', 'int uint bool'),
  x: hexadecimal,
  X: hexadecimal,
  o: verb('octal clause can only be used on integers', 'int uint'),
};

function wrongValue(name: string, value: Node, typeOf: (node: Node) => CelType): Problem | undefined {
  const { kinds, rule } = verbs[name] ?? verb('', '');
  const type = typeOf(value);
  if (type.kind !== 'dyn' && !kinds.has(type.kind)) {
    return { at: value.at, message: `error during formatting: ${rule}, was given ${runtimeNameOf(type)}` };
  }
  if (name !== 's') return undefined;
  const parts = value.kind === 'list' || value.kind === 'map' ? childrenOf(value) : [];
  for (const part of parts) {
    const wrong = wrongValue(name, part, typeOf);
    if (wrong) return wrong;
  }
  return undefined;
}

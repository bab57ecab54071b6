import type { StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { keyStep, type PathStep } from '../../scheme/model/format-path.ts';

const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\[abfnrtv'\\])*)'\])/;

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * The steps of the field path of a rule, `.a.b` or `.labels['c']`; undefined if the schema has no
 * such field.
 */
export function fieldPathSteps(path: string, schema: StructuralSchema): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let [rest, part]: [string, StructuralSchema | undefined] = [path, schema];
  while (rest !== '') {
    const found = step.exec(rest);
    if (!found || !part) return undefined;
    const name =
      found[1] ?? (found[2] ?? '').replaceAll(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
    const next = childOf(part, name);
    if (!next) return undefined;
    steps.push(next.isKey ? keyStep(name) : name);
    part = next.schema;
    rest = rest.slice(found[0].length);
  }
  return steps;
}

function childOf(
  { properties, additional }: StructuralSchema,
  name: string,
): { readonly schema: StructuralSchema | undefined; readonly isKey: boolean } | undefined {
  if (properties.size > 0) {
    const schema = properties.get(name);
    return schema && { schema, isKey: false };
  }
  if (additional === undefined) return undefined;
  return { schema: additional === true ? undefined : additional, isKey: true };
}

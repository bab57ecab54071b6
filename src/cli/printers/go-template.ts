import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import type { Template, TemplateNode, TemplateOperand, TemplatePipeline } from './parse-template.ts';
import { isTrue, templateFunctions, type TemplateValue, templateText } from './template-functions.ts';

/** How a template treats what an object lacks. */
interface TemplateRules {
  /** False: a missing field is an error; else it is printed as `<no value>`. */
  readonly allowMissing: boolean;
}

/** Formats an object by a template of Go. */
export function executeTemplate(template: Template, value: JsonValue, rules: TemplateRules): string {
  const run: Run = { out: [], defined: template.defined, rules, depth: 0 };
  runNodes(template.nodes, { dot: value, variables: [{ name: '$', value }] }, run);
  return run.out.join('');
}

interface Run {
  readonly out: string[];
  readonly defined: Template['defined'];
  readonly rules: TemplateRules;
  depth: number;
}

interface Variable {
  readonly name: string;
  value: TemplateValue;
}

interface Scope {
  readonly dot: TemplateValue;
  /** The last one of a name counts. */
  readonly variables: Variable[];
}

/** How a loop goes on. */
type Flow = 'next' | 'break' | 'continue';

function runNodes(nodes: readonly TemplateNode[], scope: Scope, run: Run): Flow {
  for (const node of nodes) {
    const flow = runNode(node, scope, run);
    if (flow !== 'next') return flow;
  }
  return 'next';
}

function runNode(node: TemplateNode, scope: Scope, run: Run): Flow {
  switch (node.type) {
    case 'text':
      run.out.push(node.text);
      return 'next';
    case 'print': {
      const value = valueOf(node.pipeline, scope, run);
      if (node.pipeline.variables.length === 0) run.out.push(templateText(value));
      return 'next';
    }
    case 'template':
      callTemplate(node, scope, run);
      return 'next';
    case 'range':
      return runRange(node, scope, run);
    case 'if':
    case 'with': {
      const inner = { ...scope, variables: [...scope.variables] };
      const value = valueOf(node.pipeline, inner, run);
      if (!isTrue(value)) return runNodes(node.otherwise, { ...scope, variables: [...scope.variables] }, run);
      return runNodes(node.body, node.type === 'with' ? { ...inner, dot: value } : inner, run);
    }
    case 'break':
    case 'continue':
    default:
      return node.type;
  }
}

/** Templates that call each other deeper than this do so without end. */
const deepest = 1000;

function callTemplate(node: TemplateNode & { readonly type: 'template' }, scope: Scope, run: Run): void {
  const nodes = run.defined.get(node.name);
  if (!nodes) throw new CliError(`error executing template: template "${node.name}" not defined`);
  const dot = node.pipeline ? valueOf(node.pipeline, scope, run) : undefined;
  if (++run.depth > deepest) throw new CliError(`error executing template: "${node.name}" calls itself without end`);
  runNodes(nodes, { dot, variables: [{ name: '$', value: dot }] }, run);
  run.depth--;
}

function runRange(node: TemplateNode & { readonly type: 'range' }, scope: Scope, run: Run): Flow {
  const inner = { ...scope, variables: [...scope.variables] };
  const entries = entriesOf(valueOf({ ...node.pipeline, variables: [] }, inner, run));
  if (entries.length === 0) return runNodes(node.otherwise, inner, run);
  const { variables: names, declares } = node.pipeline;
  for (const [key, value] of entries) {
    const each = { dot: value, variables: [...inner.variables] };
    const values = names.length > 1 ? [key, value] : [value];
    for (const [index, name] of names.entries()) setVariable(each.variables, name, values[index], declares);
    if (runNodes(node.body, each, run) === 'break') break;
  }
  return 'next';
}

/** The keys and values that a range runs over. */
function entriesOf(value: TemplateValue): [TemplateValue, TemplateValue][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item, index) => [BigInt(index), item]);
  if (typeof value === 'bigint')
    return Array.from({ length: Number(value) }, (_, index) => [BigInt(index), BigInt(index)]);
  if (!isJsonObject(value))
    throw new CliError(`error executing template: range can't iterate over ${templateText(value)}`);
  return Object.keys(value)
    .toSorted()
    .map((key) => [key, value[key]]);
}

function setVariable(variables: Variable[], name: string, value: TemplateValue, declares: boolean): void {
  const known = declares ? undefined : variables.findLast((variable) => variable.name === name);
  if (known) known.value = value;
  else if (declares) variables.push({ name, value });
  else throw new CliError(`error executing template: undefined variable ${name}`);
}

function valueOf(pipeline: TemplatePipeline, scope: Scope, run: Run): TemplateValue {
  let value: TemplateValue;
  for (const [index, command] of pipeline.commands.entries()) {
    value = commandValue(command, index === 0 ? [] : [value], scope, run);
  }
  for (const name of pipeline.variables) setVariable(scope.variables, name, value, pipeline.declares);
  return value;
}

function commandValue(
  [first, ...operands]: readonly TemplateOperand[],
  last: readonly TemplateValue[],
  scope: Scope,
  run: Run,
): TemplateValue {
  if (first?.type !== 'function') {
    if (operands.length + last.length > 0)
      throw new CliError('error executing template: can’t give argument to non-function');
    return first && operandValue(first, scope, run);
  }
  // `and` and `or` stop at the value that decides.
  if (first.name === 'and' || first.name === 'or') return decide(first.name === 'and', operands, last, scope, run);
  return call(first.name, [...operands.map((operand) => operandValue(operand, scope, run)), ...last]);
}

function call(name: string, args: readonly TemplateValue[]): TemplateValue {
  const program = getOwn(templateFunctions, name);
  if (!program) throw new CliError(`error parsing template: function "${name}" not defined`);
  return program(...args);
}

function decide(
  isAnd: boolean,
  operands: readonly TemplateOperand[],
  last: readonly TemplateValue[],
  scope: Scope,
  run: Run,
): TemplateValue {
  let value: TemplateValue;
  for (const operand of operands) {
    value = operandValue(operand, scope, run);
    if (isTrue(value) !== isAnd) return value;
  }
  return last.length > 0 ? last[0] : value;
}

function operandValue(operand: TemplateOperand, scope: Scope, run: Run): TemplateValue {
  switch (operand.type) {
    case 'literal':
      return operand.value;
    case 'function':
      return call(operand.name, []);
    case 'dot':
      return fieldOf(scope.dot, operand.names, run);
    case 'variable': {
      const variable = scope.variables.findLast(({ name }) => name === operand.name);
      if (!variable) throw new CliError(`error parsing template: undefined variable "${operand.name}"`);
      return fieldOf(variable.value, operand.names, run);
    }
    case 'pipeline':
    default:
      return fieldOf(valueOf(operand.pipeline, scope, run), operand.names, run);
  }
}

function fieldOf(start: TemplateValue, names: readonly string[], { rules }: Run): TemplateValue {
  let value = start;
  for (const name of names) {
    if (value !== undefined && value !== null && !isJsonObject(value)) {
      throw new CliError(`error executing template: can't evaluate field ${name} of ${templateText(value)}`);
    }
    value = value ? getOwn(value, name) : undefined;
    if (value === undefined && !rules.allowMissing) {
      throw new CliError(`error executing template: map has no entry for key "${name}"`);
    }
  }
  return value;
}

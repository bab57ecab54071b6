import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { API, type Checker, NodeBuilderFlags, type Project, type Symbol, SymbolFlags } from 'typescript/unstable/sync';
import { root } from '../source-files.ts';

/** A name that a published entry exports, or a type that such a name mentions. */
export interface PublishedName {
  readonly name: string;
  /** Its comment, as Markdown. */
  readonly comment: string;
  readonly examples: readonly string[];
  /** Its declaration as the compiler wrote it, with the comments of its members. */
  readonly text: string;
  /** The members that its declaration takes from a table of options, which its text does not show. */
  readonly options: readonly PublishedOption[];
}

/** A member of a type that is made from a table of options. */
export interface PublishedOption {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly comment: string;
}

/** The parts of an entry. */
export interface PublishedEntry {
  readonly functions: readonly PublishedName[];
  readonly types: readonly PublishedName[];
  /** Names of groups of types that are made from proto/, such as `corev1`. */
  readonly kinds: readonly string[];
  /** Types that the others mention, and that have no name of their own here. */
  readonly mentioned: readonly PublishedName[];
}

const typeFlags = SymbolFlags.Class | SymbolFlags.Interface | SymbolFlags.TypeAlias;
const valueFlags = SymbolFlags.Function | SymbolFlags.Class | SymbolFlags.Variable;

/** The tables of options: their declarations are long, and the types of their options say all. */
const fromTable = /\b(?:OptionsOf|FlagValues|GroupOf)</;

/** Reads what entries, such as `client`, export: from the types that the compiler wrote last. */
export function readPublishedApi(entries: readonly string[]): ReadonlyMap<string, PublishedEntry> {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache/api-'));
  const fileOf = (entry: string): string => path.join(root, `dist/src/${entry}/index.d.ts`);
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    strict: true,
    types: ['node'],
  };
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: entries.map(fileOf) }),
  );
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    if (!project) throw new Error('the compiler did not open the types');
    return new Map(entries.map((entry) => [entry, readEntry(project, fileOf(entry))]));
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function readEntry(project: Project, file: string): PublishedEntry {
  const { checker, program } = project;
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is missing: run make build`);
  const exported = checker.getExportsOfModule(module).map((symbol) => aliased(checker, symbol));
  const isKinds = ({ declarations }: Symbol): boolean =>
    declarations.length > 0 && declarations.every((one) => /\/src\/gen\//.test(one.path));
  const names = checker
    .getExportsOfModule(module)
    .filter((_, at) => exported[at] && isKinds(exported[at]))
    .map(({ name }) => name);
  const own = exported.filter((symbol) => !isKinds(symbol)).toSorted(byName);
  const isValue = ({ flags }: Symbol): boolean => (flags & valueFlags) !== 0;
  const describe = (symbol: Symbol): PublishedName => describeSymbol(project, symbol);
  return {
    functions: own.filter(isValue).map(describe),
    types: own.filter((symbol) => !isValue(symbol)).map(describe),
    kinds: names.toSorted(),
    mentioned: mentionedBy(project, own)
      .filter((symbol) => !isKinds(symbol))
      .toSorted(byName)
      .map(describe),
  };
}

function byName(one: Symbol, other: Symbol): number {
  return one.name < other.name ? -1 : 1;
}

/** The symbol that an import or an export stands for. */
function aliased(checker: Checker, symbol: Symbol): Symbol {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function describeSymbol(project: Project, symbol: Symbol): PublishedName {
  const { checker } = project;
  const text = textOf(project, symbol);
  return {
    name: symbol.name,
    comment: checker.getDocumentationCommentOfSymbol(symbol),
    examples: checker
      .getJsDocTagsOfSymbol(symbol)
      .filter(({ name }) => name === 'example')
      .map((tag) => tag.text ?? ''),
    text,
    options: fromTable.test(text) ? optionsOf(checker, symbol, text) : [],
  };
}

/** The declarations of a symbol, each without `export declare`; several are forms of one function. */
function textOf(project: Project, { declarations, flags }: Symbol): string {
  const texts = declarations.map((declaration) => declaration.resolve(project)?.getText() ?? '');
  return texts
    .map((text) =>
      flags & SymbolFlags.Variable ? `const ${text};` : text.replace(/^export /, '').replace(/^declare /, ''),
    )
    .join('\n');
}

function optionsOf(checker: Checker, symbol: Symbol, text: string): PublishedOption[] {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const isShown = ({ name }: Symbol): boolean => new RegExp(`^ {4}(?:readonly )?'?${name}'?\\??:`, 'm').test(text);
  const members = checker.getPropertiesOfType(type).filter((member) => !isShown(member));
  return members.toSorted(byName).map((member) => {
    const { name, flags } = member;
    const memberType = checker.getTypeOfSymbol(member);
    const isOptional = (flags & SymbolFlags.Optional) !== 0;
    const written = memberType ? checker.typeToString(memberType, undefined, NodeBuilderFlags.NoTruncation) : 'unknown';
    return {
      name,
      type: isOptional ? written.replace(/ \| undefined$/, '') : written,
      isOptional,
      comment: checker.getDocumentationCommentOfSymbol(member),
    };
  });
}

/** The types that declarations mention, directly or through others, without those that are exported. */
function mentionedBy(project: Project, exported: readonly Symbol[]): readonly Symbol[] {
  const { checker } = project;
  const known = new Set(exported.map(({ id }) => id));
  const found: Symbol[] = [];
  const queue = [...exported];
  for (let symbol = queue.shift(); symbol; symbol = queue.shift()) {
    for (const declaration of symbol.declarations) {
      const node = declaration.resolve(project);
      if (!node) continue;
      const words = new Set(withoutComments(node.getText()).match(/\b[A-Z]\w*/g));
      for (const word of words) {
        const named = checker.resolveName(word, SymbolFlags.Type, node);
        const target = named && aliased(checker, named);
        if (!target || known.has(target.id) || !isOurs(target)) continue;
        known.add(target.id);
        found.push(target);
        queue.push(target);
      }
    }
  }
  return found;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '');
}

/** True for a type of this package that is written by hand, and is not a tool that makes types from tables. */
function isOurs({ declarations, flags, name }: Symbol): boolean {
  const isType = (flags & typeFlags) !== 0;
  const isTool = /^(?:OptionsOf|FlagValues|GroupOf)$/.test(name);
  return isType && !isTool && declarations.some((one) => /\/dist\/src\/(?!gen\/)/.test(one.path));
}

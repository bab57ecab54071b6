import { once } from '../../meta/memoize.ts';
import { arithmetic } from './arithmetic.ts';
import { authorizerSelectors, authorizers } from './authorizers.ts';
import { comparison, mixedComparison } from './comparison.ts';
import { conversions } from './conversions.ts';
import { jsonPatches } from './json-patches.ts';
import { type FunctionTable, type Library, makeFunctionTable } from './library.ts';
import { listExtensions } from './list-extensions.ts';
import { listsOver, sets } from './lists.ts';
import { maps } from './maps.ts';
import { namedFormats } from './named-formats.ts';
import { networks } from './networks.ts';
import { optionalItems, optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regex } from './regex.ts';
import { semvers } from './semvers.ts';
import { strings, textFormats } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';
import type { MacroName } from '../syntax/macros.ts';
import type { Syntax } from '../syntax/syntax.ts';

/** The functions and the syntax that an expression may use. */
export interface Environment {
  readonly functions: FunctionTable;
  readonly syntax: Syntax;
  /** True if constant durations, times and patterns are checked with the expression. */
  readonly checksLiterals: boolean;
  /** True if a field that is named as a keyword may be read by its plain name: `a.namespace`. */
  readonly readsKeywords: boolean;
}

/** A part of the language, with the minor release that introduced it, 0 for all. */
interface Feature {
  /** The release that introduced it. Expressions for older releases cannot use it. */
  readonly since: number;
  /**
   * The first release that implements it, if it was added later to an existing version of the
   * language.
   */
  readonly knownSince?: number;
  /** False if it does not exist in rules and policies of kube-apiserver. */
  readonly isKubernetes?: false;
  /** True if only expressions that make patches may use it. */
  readonly isForPatches?: true;
  readonly libraries?: readonly Library[];
  readonly macros?: readonly MacroName[];
  readonly isLiteralCheck?: true;
  readonly isOptionalSyntax?: true;
  readonly isKeywordField?: true;
  readonly isQuotedNames?: true;
}

const standard = [arithmetic, comparison, conversions, times, strings, regex, urls];

/** The parts of the language, in the order in which kube-apiserver introduced them. */
const features: readonly Feature[] = [
  {
    since: 0,
    libraries: [...standard, listsOver(makeFunctionTable([arithmetic, times]))],
    macros: ['all/2', 'exists/2', 'exists_one/2', 'map/2', 'map/3', 'filter/2'],
  },
  { since: 0, knownSince: 33, macros: ['existsOne/2'] },
  { since: 27, libraries: [authorizers] },
  { since: 28, libraries: [mixedComparison, optionals, quantities], macros: ['optMap/2'], isOptionalSyntax: true },
  { since: 28, knownSince: 29, macros: ['optFlatMap/2'] },
  { since: 28, knownSince: 33, libraries: [optionalItems] },
  { since: 29, libraries: [textFormats, sets], isLiteralCheck: true },
  { since: 30, libraries: [networks] },
  { since: 31, libraries: [namedFormats, authorizerSelectors], isKeywordField: true },
  {
    since: 32,
    libraries: [maps],
    macros: [
      'all/3',
      'exists/3',
      'existsOne/3',
      'exists_one/3',
      'transformList/3',
      'transformList/4',
      'transformMap/3',
      'transformMap/4',
      'transformMapEntry/3',
      'transformMapEntry/4',
    ],
  },
  { since: 33, libraries: [semvers] },
  { since: 34, libraries: [listExtensions], macros: ['sortBy/2'] },
  { since: 0, isForPatches: true, libraries: [jsonPatches] },
  { since: 0, isKubernetes: false, macros: ['cel.bind/3'], isQuotedNames: true },
];

function makeEnvironment(parts: readonly Feature[]): Environment {
  return {
    functions: makeFunctionTable(parts.flatMap(({ libraries = [] }) => libraries)),
    syntax: {
      macros: new Set(parts.flatMap(({ macros = [] }) => macros)),
      hasOptionals: parts.some(({ isOptionalSyntax }) => isOptionalSyntax),
      hasQuotedNames: parts.some(({ isQuotedNames }) => isQuotedNames),
    },
    readsKeywords: parts.some(({ isKeywordField }) => isKeywordField),
    checksLiterals: parts.some(({ isLiteralCheck }) => isLiteralCheck),
  };
}

/** The environment with everything, for configuration files. */
export const fullEnvironment: () => Environment = once(() => makeEnvironment(features));

/** The cached environments, which are few and small. Each is made on first use. */
const made = new Map<string, Environment>();

/** The options of an environment that depend on the use of the expression. */
interface EnvironmentOptions {
  /** True for expressions that make patches. */
  readonly hasPatches?: boolean;
}

/**
 * The environment of new expressions in a release of kube-apiserver, given by its minor number.
 * They may use what the previous release has, so that a server that is rolled back can evaluate
 * them. Stored expressions may use everything (`storedEnvironment`).
 */
export function environmentOfNew(release: number, { hasPatches = false }: EnvironmentOptions = {}): Environment {
  const key = `${release} ${hasPatches}`;
  const known = made.get(key);
  if (known) return known;
  const parts = features.filter(
    ({ since, knownSince = 0, isKubernetes = true, isForPatches = false }) =>
      isKubernetes && since < release && knownSince <= release && (hasPatches || !isForPatches),
  );
  const environment = makeEnvironment(parts);
  made.set(key, environment);
  return environment;
}

/**
 * The environment of stored expressions of kube-apiserver, which has everything up to the newest
 * release.
 */
export function storedEnvironment(options?: EnvironmentOptions): Environment {
  return environmentOfNew(Number.POSITIVE_INFINITY, options);
}

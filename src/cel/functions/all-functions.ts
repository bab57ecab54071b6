import { arithmetic } from './arithmetic.ts';
import { comparison } from './comparison.ts';
import { conversions } from './conversions.ts';
import { type FunctionTable, makeFunctionTable } from './library.ts';
import { listsOver, sets } from './lists.ts';
import { maps } from './maps.ts';
import { namedFormats } from './named-formats.ts';
import { networks } from './networks.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regex } from './regex.ts';
import { semvers } from './semvers.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { urls } from './urls.ts';

const standard = [arithmetic, comparison, conversions, times, strings, regex, optionals, maps, sets];
const valueTypes = [networks, urls, quantities, namedFormats, semvers];

/** The functions of expressions: the standard functions, and the functions of Kubernetes. */
export const allFunctions: FunctionTable = makeFunctionTable([
  ...standard,
  listsOver(makeFunctionTable(standard)),
  ...valueTypes,
]);

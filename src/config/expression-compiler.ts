import type { Compiler } from '../cel/compiler.ts';
import { lateModule } from '../package/late-module.ts';

/** CEL takes memory, so it is loaded when a configuration has expressions. */
const loadCompiler = lateModule(() => import('../cel/compiler.ts'));

/** Creates a compiler of expressions in configuration files. */
export async function createExpressionCompiler(): Promise<Compiler> {
  const { createCompiler } = await loadCompiler();
  return createCompiler();
}

import type { Compiler } from '../cel/compiler.ts';
import { lazyModule } from '../package/lazy-module.ts';

/** CEL takes memory, so it is loaded when a configuration has expressions. */
const loadCompiler = lazyModule(() => import('../cel/compiler.ts'));

/** Creates a compiler of expressions in configuration files. */
export async function createExpressionCompiler(): Promise<Compiler> {
  const { createCompiler } = await loadCompiler();
  return createCompiler();
}

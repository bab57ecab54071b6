import { lazyModule } from '../../package/lazy-module.ts';

/** Loads the library of signed tokens: servers without tokens do without it. */
export const loadJose = lazyModule(() => import('jose'));

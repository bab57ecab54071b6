import { lateModule } from '../../package/late-module.ts';

/** Loads the library of signed tokens: servers without tokens do without it. */
export const loadJose = lateModule(() => import('jose'));

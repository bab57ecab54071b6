import type Koa from 'koa';
import type { Exchange } from '../request/exchange.ts';

/** A step of every request. Filters stand in one list, in the order in which they run. */
export type Filter = Koa.Middleware<Exchange>;

/** A value, or a promise of it if it takes time. */
export type MaybePromise<Value> = Value | Promise<Value>;

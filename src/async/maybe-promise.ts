/** Something, or a promise of it where it takes time. */
export type MaybePromise<Value> = Value | Promise<Value>;

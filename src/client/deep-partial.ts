/**
 * A type whose fields are all optional, at every depth: the part of an object that a manager
 * applies. Items of lists are partial too; the server asks for the keys of those that it merges.
 */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? PartialFields<T>
    : T;

/** The entries of a map are not optional: there is no entry without a value. */
type PartialFields<T> = string extends keyof T
  ? { [Field in keyof T]: DeepPartial<T[Field]> }
  : { [Field in keyof T]?: DeepPartial<T[Field]> };

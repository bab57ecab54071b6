import { collectedErrorLimit } from './all-errors.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from './field-error.ts';

/** The names of the fields of T whose values are of type V. */
type FieldsOf<T, V> = { [Name in keyof T & string]-?: NonNullable<T[Name]> extends V ? Name : never }[keyof T & string];

type Present<T> = NonNullable<T>;
/** The value of a field: undefined where it, or the object around it, may be missing or null. */
type ValueOf<T, Name extends keyof Present<T>> =
  | Present<Present<T>[Name]>
  | (undefined extends T ? undefined : never)
  | (Present<T>[Name] & (null | undefined) extends never ? never : undefined);
type ItemOf<List> = Present<List> extends readonly (infer Item)[] ? Item : never;
type EntryOf<Map> = Present<Map> extends Readonly<Record<string, infer Entry>> ? Entry : never;

/** The part of a cursor that rules for texts use. */
interface TextCursor {
  readonly value: string | undefined;
  readonly path: string;
  readonly errors: FieldError[];
}

/**
 * A value inside an object that is being checked, with its path. The errors of all cursors of one
 * object are in one list, in the order in which they were reported. A rule on a value that is not
 * there reports nothing; an empty text counts as not there.
 */
export class FieldCursor<T> {
  /** The value; undefined if the field is missing or null. */
  readonly value: T;
  /** The errors found so far in the whole object. */
  readonly errors: FieldError[];
  readonly #parent: { readonly path: string } | undefined;
  readonly #step: string | number;

  /** A cursor for a whole object, or for the part of one at a step below `parent`. */
  constructor(value: T, step: string | number = '', parent?: FieldCursor<unknown>) {
    this.value = value;
    this.errors = parent ? parent.errors : [];
    this.#parent = parent;
    this.#step = step;
  }

  /** The path as errors show it: `spec.ports[0].name`. */
  get path(): string {
    const above = this.#parent?.path ?? '';
    if (typeof this.#step === 'number') return `${above}[${this.#step}]`;
    return above === '' || this.#step.startsWith('[') ? above + this.#step : `${above}.${this.#step}`;
  }

  /** True if there is a value, other than an empty text. */
  get isSet(): boolean {
    return this.value !== undefined && this.value !== '';
  }

  /** True if there is a value, also an empty text. */
  isPresent(): this is FieldCursor<Present<T>> {
    return this.value !== undefined;
  }

  /** A field of this object. */
  at<Name extends keyof Present<T> & string>(name: Name): FieldCursor<ValueOf<T, Name>> {
    const object = this.value as Present<T> | undefined;
    return new FieldCursor((object?.[name] ?? undefined) as ValueOf<T, Name>, name, this);
  }

  /** The items of a list field. Ends early when too many errors were found. */
  *each<Name extends FieldsOf<Present<T>, readonly unknown[]>>(
    name: Name,
  ): Generator<FieldCursor<ItemOf<Present<T>[Name]>>, void> {
    const list = this.at(name);
    const items = (list.value ?? []) as readonly ItemOf<Present<T>[Name]>[];
    for (const [index, item] of items.entries()) {
      if (this.errors.length >= collectedErrorLimit) return;
      yield new FieldCursor(item, index, list);
    }
  }

  /** The entries of a map field, with their keys. Ends early when too many errors were found. */
  *entries<Name extends FieldsOf<Present<T>, Readonly<Record<string, unknown>>>>(
    name: Name,
  ): Generator<readonly [string, FieldCursor<EntryOf<Present<T>[Name]>>], void> {
    const map = this.at(name);
    const entries: Readonly<Record<string, EntryOf<Present<T>[Name]>>> = map.value ?? {};
    for (const [key, entry] of Object.entries(entries)) {
      if (this.errors.length >= collectedErrorLimit) return;
      yield [key, new FieldCursor(entry, `[${key}]`, map)];
    }
  }

  /** Adds errors of rules that know their paths. */
  report(...errors: readonly FieldError[]): void {
    for (const error of errors) this.errors.push(error);
  }

  /** Reports a value that breaks a rule; `shown` is it, or its usual form. */
  reportInvalid(detail: string, shown: unknown = this.value ?? ''): void {
    this.errors.push(invalid(this.path, shown, detail));
  }

  /** Reports a field that must not be set or changed. */
  reportForbidden(detail: string): void {
    this.errors.push(forbidden(this.path, detail));
  }

  /** Reports a missing value. */
  reportRequired(detail = ''): void {
    this.errors.push(required(this.path, detail));
  }

  /** Reports a value that is there twice. */
  reportDuplicate(): void {
    this.errors.push(duplicate(this.path, this.value));
  }

  /** Reports each message of a rule for texts. */
  mustBe(this: TextCursor, rule: (text: string) => readonly string[]): void {
    if (!this.value) return;
    for (const message of rule(this.value)) this.errors.push(invalid(this.path, this.value, message));
  }

  /** Reports a value that is missing. */
  mustBeSet(detail = ''): void {
    if (!this.isSet) this.reportRequired(detail);
  }

  /** Reports a text that is none of `values`. */
  mustBeOneOf(this: TextCursor, values: readonly string[]): void {
    const { value } = this;
    if (value && !values.includes(value)) this.errors.push(notSupported(this.path, value, values));
  }

  /** Reports a value that is in `seen`, and adds it. */
  mustBeUnique(seen: Set<unknown>): void {
    if (!this.isSet) return;
    if (seen.has(this.value)) this.reportDuplicate();
    seen.add(this.value);
  }
}

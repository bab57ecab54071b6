import { encodeJson } from '../../codec/encode-json.ts';
import type { JsonValue } from '../../meta/json-value.ts';

/** A row of a Table of the server. */
export interface TableRow {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly created: string;
  readonly cells: readonly JsonValue[];
  /** The text that filters look in, in lower case. */
  readonly text: string;
}

/** The most rows of a table, and the most bytes of their texts. */
interface RowLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Longer cells are cut, as no screen shows them. */
const longestCell = 1000;

/** A row in the JSON of the server. */
interface SentRow {
  readonly cells?: readonly JsonValue[];
  readonly object?: { readonly metadata?: Readonly<Record<string, JsonValue>> };
}

/** The rows of a table by the UID of their objects, within limits. */
export class TableRows {
  readonly #rows = new Map<string, TableRow>();
  readonly #limits: RowLimits;
  #bytes = 0;
  /** True if rows are missing because of the limits. */
  isCut = false;
  /** Changes with the rows. */
  version = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** True if no more rows are taken. */
  get isFull(): boolean {
    return this.#rows.size >= this.#limits.rows || this.#bytes >= this.#limits.bytes;
  }

  values(): Iterable<TableRow> {
    return this.#rows.values();
  }

  /** Adds a row, or puts it in the place of the row with its UID. */
  set(row: TableRow): void {
    const known = this.#rows.has(row.uid);
    if (known) this.delete(row.uid);
    if (this.isFull) {
      this.isCut = true;
      return;
    }
    this.version += 1;
    this.#rows.set(row.uid, row);
    this.#bytes += bytesOf(row);
  }

  delete(uid: string): void {
    const row = this.#rows.get(uid);
    if (!row) return;
    this.version += 1;
    this.#rows.delete(uid);
    this.#bytes -= bytesOf(row);
  }
}

/** Reads a row of a Table. */
export function readRow({ cells = [], object }: SentRow): TableRow {
  const { uid, name, namespace, creationTimestamp } = object?.metadata ?? {};
  const [at, of] = [cellText(namespace), cellText(name)];
  const kept = cells.map(cut);
  return {
    uid: cellText(uid) || `${at}/${of}`,
    name: of,
    namespace: at,
    created: cellText(creationTimestamp),
    cells: kept,
    text: [at, ...kept.map(cellText)].join('\n').toLowerCase(),
  };
}

/** The text of a cell: strings as they are, other values as JSON, nothing for null. */
export function cellText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : encodeJson(value);
}

function cut(value: JsonValue): JsonValue {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  const text = cellText(value);
  return text.length > longestCell ? `${text.slice(0, longestCell)}…` : value;
}

/** Texts take two bytes for each character, and the parts of a row some more. */
function bytesOf({ text, name, cells }: TableRow): number {
  return 4 * text.length + 2 * name.length + 200 + 16 * cells.length;
}

/** A clause of a format string: its verb, its precision, and its length including `%`. */
interface FormatClause {
  readonly verb: string;
  readonly precision: string | undefined;
  readonly length: number;
}

const clause = /%(?:\.(\d*))?([^]?)/uy;

/** Parses the clause at a percent sign, as cel-go does. */
export function readClause(text: string, at: number): FormatClause | { readonly problem: string } {
  clause.lastIndex = at;
  const [whole = '', precision, verb = ''] = clause.exec(text) ?? [];
  const inPrecision = 'error while parsing precision: ';
  if (precision !== undefined && verb === '')
    return { problem: `${inPrecision}could not find end of precision specifier` };
  if (precision === '' || (precision !== undefined && BigInt(precision) >= 2n ** 63n)) {
    const why = precision === '' ? 'invalid syntax' : 'value out of range';
    const converting = `error while converting precision to integer: strconv.Atoi: parsing ${JSON.stringify(precision)}`;
    return { problem: `${inPrecision}${converting}: ${why}` };
  }
  if (!/^[sdfebxXo]$/.test(verb)) return { problem: `unrecognized formatting clause "${verb}"` };
  return { verb, precision, length: whole.length };
}

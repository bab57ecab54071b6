/**
 * Texts that are secrets wherever they stand. Lines are written without them; this is the last of
 * several measures, for texts of libraries and of other servers. Clients write parts of lines: each
 * pattern begins at the start of a word, so that its time grows with the length of the line, and
 * ends before a quote, so that a record stays one.
 */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  // The credentials of headers.
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 <masked>'],
  // The user and the password of a URL.
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^/\s"'@]+@/gi, '$1<masked>@'],
  // Parameters of a query.
  [/([?&](?:[a-z_-]*token|password|passwd|secret|key|signature)=)[^&\s"'\\]+/gi, '$1<masked>'],
  // A JSON Web Token.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '<masked>'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g, '<masked>'],
];

/** Returns a line without the secrets in it. */
export function hideSecrets(line: string): string {
  let hidden = line;
  for (const [pattern, replacement] of secretTexts) hidden = hidden.replace(pattern, replacement);
  return hidden;
}

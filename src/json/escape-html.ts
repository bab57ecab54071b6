/** Escapes the characters of JSON that are special in HTML or JavaScript, as Go's JSON does. */
export function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
